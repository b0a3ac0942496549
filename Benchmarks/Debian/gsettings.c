// GSettings over dconf: a set is handed to dconf's service by D-Bus, and g_settings_sync waits until it is on the disk.
// There is no call that adds.
#include <gio/gio.h>

#include "work.h"

static GSettings *settings;

static void check(gboolean is_done) {
    if (!is_done) work_failed("GSettings", "the key is not writable");
}

static void open_settings(const char *folder) {
    (void)folder;
    settings = g_settings_new("typeddefaults.benchmark");
}

static void store(const char *key, double number) {
    check(g_settings_set_double(settings, key, number));
    g_settings_sync();
}

static void store_text(const char *key, const char *text) {
    check(g_settings_set_string(settings, key, text));
    g_settings_sync();
}

static double get(void) { return g_settings_get_double(settings, "wanted"); }

static void set(double number) { store("wanted", number); }

static double count(void) { return g_settings_get_double(settings, "counter"); }

static void increment(void) { store("counter", count() + 1); }

int main(int argc, char **argv) {
    const struct work library = {open_settings, store, store_text, get, set, set, increment, count};
    return work(argc, argv, &library);
}
