/* Reads a table that `alfil compile` has written, as docs/tables.md describes it, and prints where a
   piece on d4 of an 8×8 board can go: every square is empty but those that are named as enemies. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EMPTY = 1, ENEMY = 2, OUTSIDE = 32, FILES = 8, RANKS = 8, ROOM = 1 << 16 };

static char text[1 << 20];
static long steps[ROOM], nodes[ROOM], skips[ROOM];

/* The numbers of a list behind its key, whatever lists are in it; how many there are. */
static int numbers(const char *part, const char *key, long *out) {
    const char *at = strstr(part, key) + strlen(key);
    int depth = 0, count = 0;
    do {
        if (*at == '[' || *at == ']') {
            depth += *at++ == '[' ? 1 : -1;
        } else if (strchr(", :", *at)) {
            at++;
        } else {
            out[count++] = strtol(at, (char **)&at, 10);
        }
    } while (depth > 0 || count == 0);
    return count;
}

int main(int count, char **names) {
    FILE *file = fopen(names[1], "r");
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    for (const char *part = strstr(text, "\"trie\""); part; part = strstr(part + 1, "\"trie\"")) {
        numbers(part, "\"steps\"", steps);
        int size = numbers(part, "\"nodes\"", nodes);
        numbers(part, "\"skips\"", skips);
        for (long node = 0; node < size;) {
            const long *step = steps + 2 * (nodes[node] >> 12);
            int x = 3 + (int)step[0], y = 3 + (int)step[1], here = EMPTY;
            char name[] = {(char)('a' + x), (char)('1' + y), 0};
            if (x < 0 || y < 0 || x >= FILES || y >= RANKS) {
                here = OUTSIDE;
            }
            for (int each = 2; each < count; each++) {
                here = strcmp(names[each], name) ? here : ENEMY;
            }
            if (nodes[node] & here) {
                puts(name);
            }
            node = nodes[node] >> 6 & here ? node + 1 : skips[node];
        }
    }
    return 0;
}
