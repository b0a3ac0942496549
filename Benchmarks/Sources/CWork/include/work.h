/// The same work for each settings library: a table of what one does, and a program that does it when it is told.
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

/// What a library does. Each call ends the process with a sentence where the library fails.
struct work {
    /// Opens the settings of a folder, which the library may choose a place of its own for.
    void (*open)(const char *folder);
    /// Stores a number and waits for the disk, if the library can.
    void (*store)(const char *key, double number);
    /// Stores a text.
    void (*store_text)(const char *key, const char *text);
    /// Reads the number of `wanted`, which is unchanged.
    double (*get)(void);
    /// Sets `wanted`, so that other processes see it.
    void (*set)(double number);
    /// Sets `wanted`, and waits for the disk.
    void (*set_durably)(double number);
    /// Adds 1 to `counter` as the library's users are told to.
    void (*increment)(void);
    /// Reads `counter` as it is stored.
    double (*count)(void);
};

/// Does what the words say, and gives the program's status. Usage: PROGRAM FOLDER ROLE ...
///
/// - fill: stores two hundred keys.
/// - get, set, set-durably: print the median of what one takes, in nanoseconds.
/// - kill PAGE: sets higher and higher numbers until it is killed, and notes in the page each that has returned.
/// - race PAGE INDEX COUNT: waits for the page's word, adds 1 so often, and notes in the page when it is done.
/// - value, count: print what `wanted` or `counter` is for a process that has just begun.
int work(int argc, char **argv, const struct work *library);

/// Ends the process with what failed.
void work_failed(const char *what, const char *why) __attribute__((noreturn));

#ifdef __cplusplus
}
#endif
