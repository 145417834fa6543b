/* Move ordering: immediate gain, static exchange evaluation, killers and history. */

/* The longest line, quiescence included, in plies. */
enum { LONGEST = 90 };
/* Ratings of moves, from the first class to the last: hash move, captures and promotions that lose nothing,
   killers, quiet moves by their history (around 0), moves that lose material. */
enum {
    KNOWN_MOVE = 1000000000,
    GOOD_CAPTURE = 50000000,
    KILLER = 20000000,
    LOSING = -50000000,
    /* The rating of a move that was pruned. */
    PRUNED = -1000000000,
};
/* Killers are kept as numbers below this. */
enum { SHORT = 1000000007 };
/* History scores stay between this and its negative. Continuation history is hashed into a table of this
   size, a power of 2. */
enum { HISTORY_LIMIT = 16384, CONTINUATIONS = 65536 };
/* The longest exchange that is followed, in captures; the value of a royal, and that of no attacker. */
enum { EXCHANGES = 24, PRICELESS = 1000000, NO_THREAT = 2000000 };

/* The gain from capturing a piece on a square: its value, and that of the piece in hand. */
static int capture_value(const Tables *game, const Search *search, int piece, int square) {
    TaperedValue worth = search->worth[piece * game->size + square];
    int held = game->held[piece];
    return blend(held ? add_times(worth, search->in_hand[held - 1], 1) : worth, search->share);
}

/* The loss of a piece on a square in an exchange. */
static int loss_value(const Tables *game, const Search *search, int piece, int square) {
    return game->royal[piece] ? PRICELESS : capture_value(game, search, piece, square);
}

/* The gain of the mover from a capture on a square, negative if the piece is its own. */
static TaperedValue capture_gain(const Tables *game, Position *pos, Search *search, int square) {
    int piece = pos->board[square];
    if (!piece) {
        return (TaperedValue){0, 0};
    }
    TaperedValue worth = search->worth[piece * game->size + square];
    if (((piece - 1) & 1) == pos->side) {
        worth = negate(worth);
    }
    int held = game->held[piece];
    return held ? add_times(worth, search->in_hand[held - 1], 1) : worth;
}

/* The gain of a move in piece values, replies not considered. */
static TaperedValue immediate_gain(const Tables *game, Position *pos, Search *search, int m) {
    int size = game->size;
    int origin = pos->moves[m].origin;
    TaperedValue gain = search->worth[pos->moves[m].becomes * size + pos->moves[m].target];
    if (origin == size) {
        return add_times(gain, search->in_hand[pos->moves[m].node], -1);
    }
    gain = add_times(gain, search->worth[pos->board[origin] * size + origin], -1);
    for (int x = 0, end_x = count_captured_squares(game, pos, m); x < end_x; x++) {
        int q = nth_captured_square(game, pos, m, x);
        if (q < size) {
            gain = add_times(gain, capture_gain(game, pos, search, q), 1);
        }
    }
    if (pos->moves[m].partner) {
        int rook = (pos->moves[m].partner - 1) >> 11;
        const TaperedValue *worth = search->worth + pos->board[rook] * size;
        gain = add_times(gain, worth[(pos->moves[m].partner - 1) & SQUARE], 1);
        gain = add_times(gain, worth[rook], -1);
    }
    return gain;
}

/* The gain of a move, with its effects on other squares. */
static int immediate_gain_with_effects(const Tables *game, Position *pos, Search *search, int m) {
    if (!(pos->moves[m].flags & CHANGING) || game->walling) {
        return blend(immediate_gain(game, pos, search, m), search->share);
    }
    TaperedValue before = piece_value_lead(game, pos, search);
    make(game, pos, m);
    TaperedValue after = negate(piece_value_lead(game, pos, search));
    unmake(game, pos, m);
    return blend(add_times(after, before, -1), search->share);
}

/* A move as one number, not 0. */
static uint64_t move_code(Position *pos, int m) {
    return ((uint64_t)pos->moves[m].becomes * 2048 + pos->moves[m].origin) * 2048 +
           pos->moves[m].target;
}

/* Whether a move neither captures nor promotes. */
static int is_quiet_move(const Tables *game, Position *pos, int m) {
    int origin = pos->moves[m].origin;
    if (origin == game->size) {
        return 1;
    }
    if (pos->board[origin] != pos->moves[m].becomes) {
        return 0;
    }
    for (int x = 0, end_x = count_captured_squares(game, pos, m); x < end_x; x++) {
        int q = nth_captured_square(game, pos, m, x);
        if (q < game->size && pos->board[q]) {
            return 0;
        }
    }
    return 1;
}

/* Whether a move gives direct check; discovered checks are not looked at. */
static int gives_check(const Tables *game, Position *pos, int m) {
    int k = pos->royals[1 - pos->side];
    int q = pos->moves[m].target;
    if (pos->careful) {
        return 0;
    }
    int a = attack_branches_of(game, pos->moves[m].becomes, q, k);
    return a && attacks_by_branches(game, pos, a, q, k);
}

/* An exchange on a square: the pieces lifted from the board so far, and the gain of each capture. */
typedef struct {
    int count;
    int squares[EXCHANGES + 1], pieces[EXCHANGES + 1], gains[EXCHANGES + 1];
    uint8_t shifts[EXCHANGES + 1];
} Exchange;

/* Lift the piece that captures next from its square; -1 lifts none. */
static void lift_capturer(Position *pos, Exchange *exchange, int square, int gain) {
    int n = exchange->count;
    exchange->count++;
    exchange->squares[n] = square;
    exchange->gains[n] = gain;
    if (square >= 0) {
        exchange->pieces[n] = pos->board[square];
        exchange->shifts[n] = pos->shift[square];
        pos->board[square] = 0;
        pos->shift[square] = VACANT;
    }
}

/* Put the pieces back; the gain of the first capture if either side may stop the exchange. */
static int undo_exchange_and_score(Position *pos, Exchange *exchange) {
    int *gains = exchange->gains;
    for (int n = exchange->count - 1; n >= 0; n--) {
        int square = exchange->squares[n];
        if (square >= 0) {
            pos->board[square] = exchange->pieces[n];
            pos->shift[square] = exchange->shifts[n];
        }
        if (n && gains[n] > -gains[n - 1]) {
            gains[n - 1] = -gains[n];
        }
    }
    return gains[0];
}

/* The square of a side's least valuable attacker of a square, -1 if there is none. Royals come last. */
static int cheapest_attacker(const Tables *game, Position *pos, Search *search, int side, int q) {
    const int32_t *squares = pos->lists + side * game->size;
    int best = -1;
    int least = NO_THREAT;
    for (int j = 0, end_j = pos->counts[side]; j < end_j; j++) {
        int s = squares[j];
        int p = pos->board[s];
        if (!p || s == q || !may_ever_attack(game, p, s, q)) {
            continue;
        }
        int value = loss_value(game, search, p, s);
        int a = value < least ? attack_branches_of(game, p, s, q) : 0;
        if (a && attacks_by_branches(game, pos, a, s, q)) {
            least = value;
            best = s;
        }
    }
    return best;
}

/* Static exchange evaluation of a move whose immediate gain is `gain`. X-ray attackers count, promotions
   during the exchange do not. */
static int exchange_value(const Tables *game, Position *pos, Search *search, int m, int gain) {
    int q = pos->moves[m].target;
    int origin = pos->moves[m].origin;
    int piece = pos->moves[m].becomes;
    int side = 1 - pos->side;
    if (game->exploding) {
        return gain;
    }
    Exchange exchange = {.count = 0};
    uint8_t stood = pos->shift[q];
    lift_capturer(pos, &exchange, origin == game->size || origin == q ? -1 : origin, gain);
    int s = 0;
    while (s >= 0 && exchange.count <= EXCHANGES) {
        pos->shift[q] = (uint8_t)game->shift[piece];
        s = cheapest_attacker(game, pos, search, side, q);
        if (s >= 0) {
            int before = gain;
            gain = loss_value(game, search, piece, q) - gain;
            piece = pos->board[s];
            side = 1 - side;
            lift_capturer(pos, &exchange, s, gain);
            if (gain < 0 && before > 0) {
                // Neither side can do better than stop here.
                s = -1;
            }
        }
    }
    pos->shift[q] = stood;
    return undo_exchange_and_score(pos, &exchange);
}

/* The index of a move in tables by piece and target. */
static int history_index_of(const Tables *game, const Position *pos, int m) {
    return pos->moves[m].becomes * game->size + pos->moves[m].target;
}

/* The continuation history of a move after the one made some plies ago. Entries after one move are
   adjacent, from an index that is a hash of it; other moves may share some of them. */
static int32_t *continuation_history_entry(const Position *pos, Search *search, int plies_ago,
                                           int history_index) {
    int ply = plies_from_root(pos) + 1 - plies_ago;
    uint64_t earlier = ply > 0 ? (uint64_t)search->placed[ply] * 2 + (uint64_t)plies_ago : 0;
    uint64_t first = earlier * UINT64_C(0x9E3779B97F4A7C15) >> 40;
    return search->continuations + (first + (uint64_t)history_index) % CONTINUATIONS;
}

/* The history score of a quiet move: its own, and as a continuation of the last two plies. */
static int history_score(const Tables *game, const Position *pos, Search *search, int m) {
    int place = history_index_of(game, pos, m);
    return search->history[place] + *continuation_history_entry(pos, search, 1, place) +
           *continuation_history_entry(pos, search, 2, place);
}

/* Add a bonus to a history entry, scaled down as it nears the limit. */
static void adjust_history_entry(int32_t *number, int bonus) {
    *number += bonus - *number * (bonus < 0 ? -bonus : bonus) / HISTORY_LIMIT;
}

/* Add a bonus, or a malus, to all history of a move. */
static void adjust_history(const Tables *game, const Position *pos, Search *search, int m,
                           int bonus) {
    int place = history_index_of(game, pos, m);
    adjust_history_entry(search->history + place, bonus);
    adjust_history_entry(continuation_history_entry(pos, search, 1, place), bonus);
    adjust_history_entry(continuation_history_entry(pos, search, 2, place), bonus);
}

/* A quiet move caused a cutoff: update killers and history, with a malus for the quiet moves from `at` on
   that were searched before it. */
static void remember_refutation(const Tables *game, Position *pos, Search *search, int at, int m,
                                int depth) {
    int bonus = depth < 12 ? 16 * depth * depth + 64 * depth : 3072;
    int code = (int)(move_code(pos, m) % SHORT);
    int32_t *killers = search->killers + 2 * plies_from_root(pos);
    if (killers[0] != code) {
        killers[1] = killers[0];
        killers[0] = code;
    }
    adjust_history(game, pos, search, m, bonus);
    for (int x = at; x < m; x++) {
        if (search->rated[x] != PRUNED && is_quiet_move(game, pos, x)) {
            adjust_history(game, pos, search, x, -bonus);
        }
    }
}

/* Note that a piece of this value attacks the mover's piece on a square. */
static void record_threat(const Position *pos, Search *search, int cost, int q) {
    int piece = pos->board[q];
    if (piece && ((piece - 1) & 1) == pos->side && cost < search->threats[q]) {
        search->threats[q] = cost;
    }
}

/* Note the threats of a piece by a range of its nodes. */
static void record_threats_by_nodes(const Tables *game, Position *pos, Search *search, int square,
                                    int node, int end) {
    int cost = loss_value(game, search, pos->board[square], square);
    while (node < end) {
        uint64_t w = game->nodes[node];
        int q = (int)(w & SQUARE);
        uint64_t t = w >> pos->shift[q];
        if (t & FORMS && (!game->limited ||
                          count_types_with_room(game, pos, game->taking[node], node, square, q))) {
            const int32_t *c = captures_en_route(game, pos, node);
            record_threat(pos, search, cost, q);
            for (int x = 0; x < c[0]; x++) {
                record_threat(pos, search, cost, nth_square_of_captures(game, pos, c, x));
            }
        }
        node = next_node(node, w, t);
    }
}

/* Whether the mover's piece on a square is guarded. */
static int can_recapture(const Tables *game, Position *pos, Search *search, int s) {
    int piece = pos->board[s];
    uint8_t stood = pos->shift[s];
    pos->shift[s] = (uint8_t)game->shift[pos->side ? piece - 1 : piece + 1];
    int guard = cheapest_attacker(game, pos, search, pos->side, s);
    pos->shift[s] = stood;
    return guard >= 0;
}

/* The expected loss if the mover's piece stays on a square: its value beyond that of the least valuable
   attacker, or all of it if it is unguarded. */
static int threatened_value(const Tables *game, Position *pos, Search *search, int s) {
    int piece = pos->board[s];
    int cost = search->threats[s];
    if (cost == NO_THREAT || game->royal[piece] || game->exploding) {
        return 0;
    }
    int worth = capture_value(game, search, piece, s);
    if (cost < worth) {
        return worth - cost;
    }
    return can_recapture(game, pos, search, s) ? 0 : worth;
}

/* Note the expected loss of each of the mover's pieces, by square. */
static void fill_threatened_values(const Tables *game, Position *pos, Search *search) {
    int enemy = 1 - pos->side;
    for (int q = 0; q < game->size; q++) {
        search->threats[q] = NO_THREAT;
    }
    for (int j = 0, end_j = pos->counts[enemy]; j < end_j; j++) {
        int s = pos->lists[enemy * game->size + j];
        const Cell *cell = cell_of(game, pos->board[s], s);
        const int32_t *parts = game->pool + cell->parts;
        record_threats_by_nodes(game, pos, search, s, cell->begin, cell->end);
        for (int n = 0; n < parts[0]; n++) {
            const Part *part = (const Part *)(parts + 1) + n;
            if (!part->roams) {
                record_threats_by_nodes(game, pos, search, s, part->from, part->until);
            }
        }
    }
    for (int j = 0, end_j = pos->counts[pos->side]; j < end_j; j++) {
        int s = pos->lists[pos->side * game->size + j];
        search->threats[s] = threatened_value(game, pos, search, s);
    }
}

/* The rating of a move for ordering. `threats_known` says whether threats, which quiet moves need, have been
   noted in this node. */
static int rate_move(const Tables *game, Position *pos, Search *search, int m, uint64_t hash_move,
                     int *threats_known) {
    uint64_t code = move_code(pos, m);
    if (code == hash_move) {
        return KNOWN_MOVE;
    }
    int gain = immediate_gain_with_effects(game, pos, search, m);
    if (!is_quiet_move(game, pos, m)) {
        return GOOD_CAPTURE + 16 * gain -
               blend(search->worth[history_index_of(game, pos, m)], search->share);
    }
    int32_t *killers = search->killers + 2 * plies_from_root(pos);
    int quiet = (int)(code % SHORT);
    if (killers[0] == quiet || killers[1] == quiet) {
        return KILLER + (killers[0] == quiet);
    }
    int origin = pos->moves[m].origin;
    if (!*threats_known) {
        fill_threatened_values(game, pos, search);
        *threats_known = 1;
    }
    int threatened = origin < game->size ? search->threats[origin] : 0;
    return history_score(game, pos, search, m) + 16 * (gain + threatened);
}

/* Rating this many moves by making them counts as visiting one position. */
enum { RATED = 8 };

/* Rate the moves of a list. */
static void rate_moves(const Tables *game, Position *pos, Search *search, int at, int end,
                       uint64_t hash_move) {
    int noted = 0;
    if (game->burning) {
        // Moves are made to be rated, and each burning piece is looked at, so this is the work.
        search->visited += (end - at) / RATED;
    }
    for (int m = at; m < end; m++) {
        search->rated[m] = rate_move(game, pos, search, m, hash_move, &noted);
    }
}

/* The rating of a move after static exchange evaluation, which is made lazily: only for captures and promotions
   that come next and gain at least `least`. */
static int rating_after_exchange(const Tables *game, Position *pos, Search *search, int m,
                                 int least) {
    int rating = search->rated[m];
    if (rating < GOOD_CAPTURE / 2 || rating == KNOWN_MOVE) {
        return rating;
    }
    int own = blend(search->worth[history_index_of(game, pos, m)], search->share);
    int gain = (rating - GOOD_CAPTURE + own) / 16;
    if (gain < least) {
        return rating;
    }
    int risk = capture_value(game, search, pos->moves[m].becomes, pos->moves[m].target);
    // A capture that wins at least what it risks needs no exchange evaluation.
    int good = gain >= 0 && gain >= risk && !game->royal[pos->moves[m].becomes];
    int value = good ? gain : exchange_value(game, pos, search, m, gain);
    return value < 0 ? LOSING + value : rating;
}

/* The first of the best rated moves of a part of the list. */
static int index_of_best_rated(const Search *search, int m, int end) {
    int best = m;
    for (int x = m; x < end; x++) {
        best = search->rated[x] > search->rated[best] ? x : best;
    }
    return best;
}

/* Swap the best rated of the remaining moves to `m`; its rating. Moves that gain less than `least` get no
   exchange evaluation. */
static int pick_best_move(const Tables *game, Position *pos, Search *search, int m, int end,
                          int least) {
    int32_t *rated = search->rated;
    int best = index_of_best_rated(search, m, end);
    int rating = rating_after_exchange(game, pos, search, best, least);
    while (rating != rated[best]) {
        rated[best] = rating;
        best = index_of_best_rated(search, m, end);
        rating = rating_after_exchange(game, pos, search, best, least);
    }
    if (best > m) {
        rated[best] = rated[m];
        rated[m] = rating;
        swap_moves(pos, m, best);
    }
    return rating;
}

/* Clear killers and history. */
static void forget_history(const Tables *game, Search *search) {
    for (int x = 0; x < 2 * (LONGEST + 4); x++) {
        search->killers[x] = 0;
    }
    for (int x = 0; x < game->pieces * game->size; x++) {
        search->history[x] = 0;
    }
    for (int x = 0; x < CONTINUATIONS; x++) {
        search->continuations[x] = 0;
    }
}
