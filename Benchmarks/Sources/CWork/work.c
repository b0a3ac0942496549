#include "work.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { KEYS = 200, SAMPLES = 1000, GETS = 10000 };

/// Where in the page stand: the word to begin, the last set that has returned, who is ready, and when each has ended.
enum { BEGIN, RETURNED, READY = 16, ENDS = 32 };

void work_failed(const char *what, const char *why) {
    fprintf(stderr, "%s: %s\n", what, why ? why : "it failed");
    exit(1);
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static int compare(const void *a, const void *b) {
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

static void print_median(double *figures, int count) {
    qsort(figures, (size_t)count, sizeof *figures, compare);
    printf("%.1f\n", figures[count / 2]);
}

/// Numbers that the driver and its processes share.
static volatile double *page(const char *path) {
    int file = open(path, O_RDWR | O_CLOEXEC);
    void *address = file < 0 ? MAP_FAILED : mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (address == MAP_FAILED) work_failed(path, "it cannot be mapped");
    return address;
}

static void fill(const struct work *library) {
    char key[32];
    for (int number = 0; number < KEYS / 2; number++) {
        snprintf(key, sizeof key, "text%d", number);
        library->store_text(key, "forty letters, as a path or a title has.");
        snprintf(key, sizeof key, "number%d", number);
        if (number == 50) strcpy(key, "wanted");
        if (number == 51) strcpy(key, "counter");
        library->store(key, number == 51 ? 0 : number + 0.5);
    }
}

/// Batches, since one read is shorter than the clock's call.
static void get(const struct work *library) {
    static double figures[101];
    double sum = 0, begin = 0;
    // The first ones open files.
    for (int number = 0; number < 200; number++) {
        if (number == 100) begin = now();
        library->get();
    }
    int gets = now() - begin > 1e6 ? 100 : GETS;
    for (int batch = 0; batch < 101; batch++) {
        begin = now();
        for (int number = 0; number < gets; number++) sum += library->get();
        figures[batch] = (now() - begin) / gets;
    }
    if (sum != 101.0 * gets * 50.5) work_failed("get", "it gave another value than was stored");
    print_median(figures, 101);
}

/// Each set is timed, for a second at most; the first ones are left out.
static void set(void (*one)(double)) {
    static double figures[SAMPLES];
    for (int number = 0; number < 5; number++) one(number + 0.5);
    int count = 0;
    for (double end = now() + 1e9; count < SAMPLES && (count < 5 || now() < end); count++) {
        double begin = now();
        one(count + 0.25);
        figures[count] = now() - begin;
    }
    one(50.5);
    print_median(figures, count);
}

static void race(const struct work *library, const char *path, int index, int count) {
    volatile double *shared = page(path);
    library->count();
    shared[READY + index] = 1;
    while (shared[BEGIN] == 0) usleep(50);
    for (int number = 0; number < count; number++) library->increment();
    shared[ENDS + index] = now();
}

int work(int argc, char **argv, const struct work *library) {
    if (argc < 3) work_failed("usage", "PROGRAM FOLDER ROLE ...");
    const char *role = argv[2];
    library->open(argv[1]);
    if (!strcmp(role, "fill")) {
        fill(library);
    } else if (!strcmp(role, "get")) {
        get(library);
    } else if (!strcmp(role, "set")) {
        set(library->set);
    } else if (!strcmp(role, "set-durably")) {
        set(library->set_durably);
    } else if (!strcmp(role, "value")) {
        printf("%.17g\n", library->get());
    } else if (!strcmp(role, "count")) {
        printf("%.17g\n", library->count());
    } else if (!strcmp(role, "kill") && argc > 3) {
        volatile double *shared = page(argv[3]);
        for (double number = shared[RETURNED] + 1;; number++) {
            library->set(number);
            shared[RETURNED] = number;
        }
    } else if (!strcmp(role, "race") && argc > 5) {
        race(library, argv[3], atoi(argv[4]), atoi(argv[5]));
    } else {
        work_failed(role, "there is no such role");
    }
    return 0;
}
