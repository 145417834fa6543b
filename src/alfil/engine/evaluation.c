/* What a position is worth as it is, without looking ahead.

   Nothing here knows a game: what pieces are worth, and what terms weigh (src/alfil/engine/terms.c), stands in
   `Search`, which src/alfil/play/opponent.py lays out. */

/* So many positions are remembered, with what terms or moves add; a power of 2. */
enum { EVALUATIONS = 65536 };
/* More than that terms make no difference to a position; and nothing but a mate is worth more than this. */
enum { FAR = 800, RICHES = 400000 };

/* What the mover's pieces are worth more than the other side's. */
static TaperedValue piece_value_lead(const Tables *game, Position *pos, Search *search) {
    TaperedValue total = {0, 0};
    for (int side = 0; side < 2; side++) {
        for (int x = 0, end_x = pos->counts[side]; x < end_x; x++) {
            int s = pos->lists[side * game->size + x];
            total = add_times(total, search->worth[pos->board[s] * game->size + s], 1);
        }
        for (int kind = 0; kind < game->kinds; kind++) {
            total = add_times(total, search->in_hand[kind], pos->hands[side * game->kinds + kind]);
        }
        total = negate(total);
    }
    return pos->side ? negate(total) : total;
}

/* How many moves the line is long. */
static int plies_from_root(const Position *pos) {
    return pos->past + 1 - pos->root;
}

/* How many moves the pieces of a side have, royals and those with odd moves aside; drops are none. */
static int mobility_of(const Tables *game, Position *pos, int side) {
    const int32_t *squares = pos->lists + side * game->size;
    int total = 0;
    for (int x = 0; x < pos->counts[side]; x++) {
        int piece = pos->board[squares[x]];
        if (!game->royal[piece] && has_simple_moves(game, pos, piece)) {
            total += count_moves_known_legal(game, pos, squares[x]);
        }
    }
    return total;
}

/* What terms add to what the pieces are worth, or moves where nothing was learned. To count it takes longer
   than all else, and searches come back to a quarter of their positions. */
static int terms_or_mobility_score(const Tables *game, Position *pos, Search *search, int share) {
    const Ply *last = pos->line + pos->past;
    uint64_t key = (last->board + last->rights) & MASK;
    int64_t *known = search->evaluations + 2 * (key % EVALUATIONS);
    if (known[0] != (int64_t)key) {
        int more = search->weighing
                       ? blend(weigh_terms(game, pos, search), share)
                       : search->mobility * (mobility_of(game, pos, pos->side) -
                                             mobility_of(game, pos, 1 - pos->side));
        known[0] = (int64_t)key;
        known[1] = more;
    }
    return (int)known[1];
}

/* What the position is worth to the mover as it is. Terms, or moves, are only counted where what the pieces
   are worth is not far from `alpha` and `beta`. */
static int evaluate(const Tables *game, Position *pos, Search *search, int alpha, int beta) {
    RemainingMaterial left = remaining_material(game, pos, search);
    int whole =
        blend(add_times(search->ahead[plies_from_root(pos)], search->on_move, 1), left.share);
    int worth = scale_lead(pos, search, &left, whole);
    int far = worth > beta + FAR || worth < alpha - FAR;
    if (search->weighing && !far) {
        whole += terms_or_mobility_score(game, pos, search, left.share);
        worth = scale_lead(pos, search, &left, whole);
    } else if (search->mobility && !far) {
        worth += terms_or_mobility_score(game, pos, search, left.share);
    }
    return worth < -RICHES ? -RICHES : worth > RICHES ? RICHES : worth;
}
