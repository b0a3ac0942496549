// QSettings in an INI file: sync() writes what was set, waits for the disk, and reads what others have written. There is no
// call that adds.
#include <QtCore/QSettings>
#include <QtCore/QString>

#include "work.h"

static QSettings *settings;

static void synchronize() {
    settings->sync();
    if (settings->status() != QSettings::NoError) work_failed("QSettings", "sync() reports an error");
}

static void open_settings(const char *folder) {
    settings = new QSettings(QString::fromUtf8(folder) + "/settings.ini", QSettings::IniFormat);
}

static void store(const char *key, double number) {
    settings->setValue(key, number);
    synchronize();
}

static void store_text(const char *key, const char *text) {
    settings->setValue(key, QString::fromUtf8(text));
    synchronize();
}

static double get() { return settings->value("wanted").toDouble(); }

static void set(double number) { store("wanted", number); }

static double count() {
    synchronize();
    return settings->value("counter").toDouble();
}

static void increment() { store("counter", count() + 1); }

int main(int argc, char **argv) {
    const struct work library = {open_settings, store, store_text, get, set, set, increment, count};
    return work(argc, argv, &library);
}
