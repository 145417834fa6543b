/* Tapered values: one for the middlegame and one for the endgame, blended by the material that is left. */

/* All of the material, as a share. */
enum { SHARES = 1024 };

/* A sum, with a multiple of the second value. */
static TaperedValue add_times(TaperedValue sum, TaperedValue more, int times) {
    return (TaperedValue){sum.middle + times * more.middle, sum.end + times * more.end};
}

/* The value from the other side's point of view. */
static TaperedValue negate(TaperedValue worth) {
    return (TaperedValue){-worth.middle, -worth.end};
}

/* The value at a share of the material. */
static int blend(TaperedValue worth, int share) {
    return worth.end + (int)((int64_t)(worth.middle - worth.end) * share / SHARES);
}

/* The share of the initial material on the board, and each side's number of pieces that can promote. */
typedef struct {
    int share, advancing[2];
} RemainingMaterial;

static RemainingMaterial remaining_material(const Tables *game, const Position *pos,
                                            const Search *search) {
    RemainingMaterial left = {SHARES, {0, 0}};
    int material = 0;
    for (int side = 0; search->whole && side < 2; side++) {
        for (int x = 0; x < pos->counts[side]; x++) {
            int piece = pos->board[pos->lists[side * game->size + x]];
            material += game->royal[piece] ? 0 : search->kind_worth[(piece - 1) >> 1];
            left.advancing[side] += search->advancing[(piece - 1) >> 1];
        }
    }
    if (material < search->whole) {
        left.share = (int)((int64_t)SHARES * material / search->whole);
    }
    return left;
}

/* Scale a lead down if the leading side has few pieces left that can promote. */
static int scale_lead(const Position *pos, const Search *search, const RemainingMaterial *left,
                      int worth) {
    if (!search->lead_scale) {
        return worth;
    }
    int side = worth < 0 ? 1 - pos->side : pos->side;
    int count = left->advancing[side] < LEADS ? left->advancing[side] : LEADS - 1;
    return (int)((int64_t)worth * search->lead_scale[count] / 100);
}

void fill_value_rows(const int32_t *worth, const int32_t *chance, int size, int32_t *rows) {
    for (int q = 0; q < size; q++) {
        rows[q] = worth[q] + chance[2 * q];
        rows[2 * size - 1 - q] = worth[q] + chance[2 * q + 1];
    }
}
