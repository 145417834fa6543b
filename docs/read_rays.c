/* An example reader of the rays that `alfil compile --plain` writes (docs/tables.md), in C17:
 *
 *     cc -std=c17 -o read_rays docs/read_rays.c
 *     ./read_rays rays.json < positions.txt
 *
 * Positions and answers are those of read_rays.js. The first half is a small reader of JSON; a program that has one
 * needs the second half only. Memory is freed when the program ends. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A value of JSON. A map has its keys and values in turn as items; true is the number 1, false and null are 0. */
typedef struct Json {
    long number;
    char *text;
    struct Json *items;
    size_t count;
} Json;

static void fail(const char *message) {
    fprintf(stderr, "%s\n", message);
    exit(1);
}

static void *checked(void *memory) {
    if (!memory) fail("out of memory");
    return memory;
}

static const char *blanks(const char *at) {
    while (isspace((unsigned char)*at) || *at == ',' || *at == ':') at++;
    return at;
}

static const char *read_text(const char *at, Json *value) {
    char *end = value->text = checked(malloc(strlen(at) + 1));
    while (*at && *at != '"') {
        if (*at == '\\') at++;
        *end++ = *at++;
    }
    *end = 0;
    value->text = checked(realloc(value->text, (size_t)(end - value->text) + 1));
    return at + 1;
}

static const char *read_json(const char *at, Json *value) {
    *value = (Json){0};
    at = blanks(at);
    if (*at == '"') return read_text(at + 1, value);
    if (*at != '[' && *at != '{') {
        value->number = *at == 't' ? 1 : strtol(at, NULL, 10);
        while (isalnum((unsigned char)*at) || *at == '-') at++;
        return at;
    }
    size_t room = 0;
    for (at = blanks(at + 1); *at != ']' && *at != '}'; at = blanks(at)) {
        if (!*at) fail("the file is cut off");
        if (value->count == room) {
            room = room ? 2 * room : 4;
            value->items = checked(realloc(value->items, room * sizeof(Json)));
        }
        at = read_json(at, &value->items[value->count++]);
    }
    return at + 1;
}

static const Json *get(const Json *map, const char *key) {
    for (size_t i = 0; i + 1 < map->count; i += 2)
        if (map->items[i].text && strcmp(map->items[i].text, key) == 0) return &map->items[i + 1];
    fail(key);
    return NULL;
}

/* From here on: what the numbers mean. */
enum { EMPTY = 1, ENEMY = 2, ROYAL = 4, FRIEND = 8, TRAIL = 16, HOME = 128 };

static int class_of(char standing) {
    static const char letters[] = ".xko*";
    const char *found = strchr(letters, standing);
    return found && standing ? 1 << (found - letters) : 0; /* # is of no class, so everything stops there */
}

static int allowed(const Json *when, long made, long turn) {
    for (size_t i = 0; i < when->count; i += 2) {
        const char *condition = when->items[i].text;
        long value = when->items[i + 1].number;
        int holds = strcmp(condition, "move") == 0    ? made == value - 1
                    : strcmp(condition, "every") == 0 ? (made + 1) % value == 0
                    : strcmp(condition, "turn") == 0  ? turn % value == 0
                                                      : strcmp(condition, "trail") == 0;
        if (!holds) return 0; /* all other conditions: see docs/tables.md */
    }
    return 1;
}

static void print_move(long to, const long *captures, size_t count, int captures_there) {
    for (size_t i = 0; captures_there && i < count; i++)
        if (captures[i] == to) return; /* no move captures a piece twice */
    printf("%ld", to);
    for (size_t i = 0; i < count; i++) printf("x%ld", captures[i]);
    if (captures_there) printf("x%ld", to);
    putchar(' ');
}

static void follow(const Json *kinds, const Json *ray, long at, const char *board) {
    long captures[64];
    size_t count = 0;
    for (size_t i = 0; i < ray->count; i++) {
        const long square = ray->items[i].items[0].number;
        const Json *kind = &kinds->items[ray->items[i].items[1].number];
        const int standing = square == at ? HOME : class_of(board[square]);
        if (get(kind, "ends")->number & standing)
            print_move(square, captures, count,
                       (standing & (ENEMY | ROYAL | FRIEND)) || (standing == TRAIL && get(kind, "en_passant")->number));
        if (!(get(kind, "on")->number & standing)) return;
        if (get(kind, "takes")->number) {
            if (count == sizeof captures / sizeof *captures) fail("a move captures too many pieces");
            captures[count++] = square;
        }
    }
}

static void answer(const Json *tables, const char *code, long side, long at, long made, long turn, const char *board) {
    const Json *pieces = get(tables, "pieces");
    for (size_t p = 0; p < pieces->count; p++) {
        if (strcmp(get(&pieces->items[p], "code")->text, code) != 0) continue;
        const Json *parts = get(&pieces->items[p], "parts");
        for (size_t i = 0; i < parts->count; i++) {
            if (!allowed(get(&parts->items[i], "when"), made, turn)) continue;
            const Json *rays = &get(&parts->items[i], side ? "second" : "first")->items[at];
            for (size_t j = 0; j < rays->count; j++) follow(get(tables, "kinds"), &rays->items[j], at, board);
        }
    }
    putchar('\n');
}

static char *read_file(const char *name) {
    FILE *file = fopen(name, "rb");
    if (!file || fseek(file, 0, SEEK_END) != 0) fail("the file cannot be opened");
    const long size = ftell(file);
    rewind(file);
    char *content = checked(calloc((size_t)size + 1, 1));
    if (fread(content, 1, (size_t)size, file) != (size_t)size) fail("the file cannot be read");
    fclose(file);
    return content;
}

int main(int count, char **arguments) {
    if (count != 2) fail("usage: read_rays rays.json < positions.txt");
    char code[64], board[2048];
    long side, at, made, turn;
    Json tables;
    read_json(read_file(arguments[1]), &tables);
    while (scanf("%63s %ld %ld %ld %ld %2047s", code, &side, &at, &made, &turn, board) == 6)
        answer(&tables, code, side, at, made, turn, board);
    return 0;
}
