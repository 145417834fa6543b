/* Dead material: what src/alfil/game/insufficient_material.py has proved of pieces that can mate no more.

   `dead` has by piece whether it is royal or may be part of that at all; then by the kinds of the two
   royals where their table begins, 0 where it is not laid out yet, and 1 where there is none. A table
   has, by piece in hand, then by piece and square, a word that is 0 for a piece that may yet mate,
   else `HELPLESS` where it never mates alone, and the sets of squares that it is bound to, a bit for
   each; then by sets of these whether nobody is mated on them. */

/* Whoever made the tables lays one out that is asked for by these numbers, less the royals' kinds. */
#define MATERIAL 2147483646

/* What stands beside the two royals. */
typedef struct {
    int count, alone, bound, free;
} MaterialCount;

/* The table of the two royals, NULL where there is none, or where other pieces may mate yet. */
static const int32_t *dead_material_table_of(const Tables *game, Position *pos) {
    int royals[2] = {0, 0};
    int kinds = 0;
    for (int side = 0; side < 2; side++) {
        for (int x = 0; x < pos->counts[side]; x++) {
            int piece = pos->board[pos->lists[side * game->size + x]];
            if (!game->dead[piece]) {
                return NULL;
            }
            if (game->royal[piece]) {
                royals[side]++;
                kinds += ((piece - 1) >> 1) * (side ? 1 : game->kinds);
            }
        }
    }
    if (royals[0] != 1 || royals[1] != 1) {
        return NULL;
    }
    int32_t *place = game->dead + game->pieces + kinds;
    int32_t begin = __atomic_load_n(place, __ATOMIC_ACQUIRE);
    begin = begin ? begin : lay_out_and_publish(game, place, MATERIAL - kinds);
    return begin > 1 ? game->dead + begin : NULL;
}

/* Count a piece, by its word; whether nothing is known of it. */
static int add_material(MaterialCount *rest, int word, int count) {
    rest->count += count;
    rest->alone = word;
    rest->bound |= word >> BOUND;
    rest->free = rest->free || !(word >> BOUND);
    return !word;
}

/* Whether nobody can be mated any more, by the material. */
static int is_insufficient_material(const Tables *game, Position *pos) {
    const int32_t *held = dead_material_table_of(game, pos);
    if (!held) {
        return 0;
    }
    const int32_t *placed = held + game->pieces;
    MaterialCount rest = {0, 0, 0, 0};
    for (int side = 0; side < 2; side++) {
        for (int x = 0; x < pos->counts[side]; x++) {
            int s = pos->lists[side * game->size + x];
            int piece = pos->board[s];
            if (!game->royal[piece] && add_material(&rest, placed[piece * game->size + s], 1)) {
                return 0;
            }
        }
        for (int kind = 0; kind < game->kinds; kind++) {
            int count = pos->hands[side * game->kinds + kind];
            if (count && add_material(&rest, held[1 + 2 * kind + side], count)) {
                return 0;
            }
        }
    }
    if (!rest.count || (rest.count == 1 && rest.alone & HELPLESS)) {
        return 1;
    }
    if (rest.free || all_castling_rights_key(game, pos)) {
        // Castling may carry a piece to another square than those of its moves.
        return 0;
    }
    return placed[game->pieces * game->size + rest.bound];
}
