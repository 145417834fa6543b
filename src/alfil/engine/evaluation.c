/* Static evaluation of a position.

   Nothing here is about one game: piece values and the weights of terms (src/alfil/engine/terms.c) are in `Search`,
   which src/alfil/play/opponent.py lays out. */

/* The size of the evaluation cache, which holds the part of terms or mobility; a power of 2. */
enum { EVALUATIONS = 65536 };
/* The most that terms are assumed to add (lazy evaluation), and the bound of evaluations, below mates. */
enum { FAR = 800, RICHES = 400000 };

/* The mover's lead in piece values. */
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

/* The length of the current line in plies. */
static int plies_from_root(const Position *pos) {
    return pos->past + 1 - pos->root;
}

/* The mobility of a side: moves of its pieces, without drops, royals, and pieces with special moves. */
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

/* What terms add to the piece values, or mobility if nothing was learned. It is the most expensive part of
   the search, and a quarter of all positions are evaluated again, hence the cache. */
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

/* The static evaluation for the mover. Terms, or mobility, are only counted if the piece values are
   not far from the window. */
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
