/* The order in which a search looks at moves: what they gain, exchanges on their squares, and the history
   of which moves were good before. */

/* So far a line is followed, captures included. */
enum { LONGEST = 90 };
/* Ratings of moves, from the first class to the last: the move of the table of positions, captures and
   promotions that lose nothing, killers, quiet moves by their history, moves that lose something. */
enum {
    KNOWN_MOVE = 1000000000,
    GOOD_CAPTURE = 50000000,
    KILLER = 20000000,
    LOSING = -50000000,
    /* What is behind this was not looked at. */
    PRUNED = -1000000000,
};
/* Killers are kept as numbers below this. */
enum { SHORT = 1000000007 };
/* The history of a move stays between this and its negative; continuations are folded to so many places
   in `continuations`, a power of 2. */
enum { HISTORY_LIMIT = 16384, CONTINUATIONS = 65536 };
/* An exchange on a square is followed for so many captures; nothing is worth what a royal is, or nobody. */
enum { EXCHANGES = 24, PRICELESS = 1000000, NO_THREAT = 2000000 };

/* What a piece on a square is worth to who captures it. */
static int capture_value(const Tables *game, const Search *search, int piece, int square) {
    TaperedValue worth = search->worth[piece * game->size + square];
    int held = game->held[piece];
    return blend(held ? add_times(worth, search->in_hand[held - 1], 1) : worth, search->share);
}

/* What it costs to lose a piece on a square in an exchange. */
static int loss_value(const Tables *game, const Search *search, int piece, int square) {
    return game->royal[piece] ? PRICELESS : capture_value(game, search, piece, square);
}

/* What the mover gains where a square is captured on. */
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

/* What a move gains at once. */
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

/* What a move gains at once, with what it changes besides. */
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

/* Whether a move captures nothing and leaves the piece what it is. */
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

/* Whether the piece that a move brings attacks the other royal from where it arrives. */
static int gives_check(const Tables *game, Position *pos, int m) {
    int k = pos->royals[1 - pos->side];
    int q = pos->moves[m].target;
    if (pos->careful) {
        return 0;
    }
    int a = attack_branches_of(game, pos->moves[m].becomes, q, k);
    return a && attacks_by_branches(game, pos, a, q, k);
}

/* An exchange on a square as it is followed: pieces taken off the board for it, and what each capture
   gains. */
typedef struct {
    int count;
    int squares[EXCHANGES + 1], pieces[EXCHANGES + 1], gains[EXCHANGES + 1];
    uint8_t shifts[EXCHANGES + 1];
} Exchange;

/* Take the piece off a square that captures next, none where that is -1. */
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

/* Put all of them back; what the first capture gains where either side stops when it likes to. */
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

/* The square of the cheapest piece of a side that could capture on a square, -1 where there is none.
   Royals capture last. */
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

/* What a move that gains so much at once does once both sides have captured on its target as long as
   that pays (static exchange evaluation). Pieces that come into play behind others count; promotions in the exchange do not. */
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
                // Neither side does better than to stop here.
                s = -1;
            }
        }
    }
    pos->shift[q] = stood;
    return undo_exchange_and_score(pos, &exchange);
}

/* The place of a move in tables by piece and square. */
static int history_index_of(const Tables *game, const Position *pos, int m) {
    return pos->moves[m].becomes * game->size + pos->moves[m].target;
}

/* Where the history of a move after another one is kept, whose place is the one in the line so many
   moves ago. What follows one move stands together, from a place that the move is scattered to; others
   may share some of it. */
static int32_t *continuation_history_entry(const Position *pos, Search *search, int plies_ago,
                                           int history_index) {
    int ply = plies_from_root(pos) + 1 - plies_ago;
    uint64_t earlier = ply > 0 ? (uint64_t)search->placed[ply] * 2 + (uint64_t)plies_ago : 0;
    uint64_t first = earlier * UINT64_C(0x9E3779B97F4A7C15) >> 40;
    return search->continuations + (first + (uint64_t)history_index) % CONTINUATIONS;
}

/* How good a quiet move has been: anywhere, and after the last moves of both sides. */
static int history_score(const Tables *game, const Position *pos, Search *search, int m) {
    int place = history_index_of(game, pos, m);
    return search->history[place] + *continuation_history_entry(pos, search, 1, place) +
           *continuation_history_entry(pos, search, 2, place);
}

/* Have a number of the history go up or down, the less the nearer to its limit. */
static void adjust_history_entry(int32_t *number, int bonus) {
    *number += bonus - *number * (bonus < 0 ? -bonus : bonus) / HISTORY_LIMIT;
}

/* Note in the history that a move was good or not. */
static void adjust_history(const Tables *game, const Position *pos, Search *search, int m,
                           int bonus) {
    int place = history_index_of(game, pos, m);
    adjust_history_entry(search->history + place, bonus);
    adjust_history_entry(continuation_history_entry(pos, search, 1, place), bonus);
    adjust_history_entry(continuation_history_entry(pos, search, 2, place), bonus);
}

/* Note that a quiet move refuted the last one, and that those looked at before it, which stand from
   `at` on, did not. */
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

/* Note that a piece worth so much may capture the mover's piece on a square. */
static void record_threat(const Position *pos, Search *search, int cost, int q) {
    int piece = pos->board[q];
    if (piece && ((piece - 1) & 1) == pos->side && cost < search->threats[q]) {
        search->threats[q] = cost;
    }
}

/* Note what some nodes of the piece on a square may capture. */
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

/* Whether the mover could capture back on a square of its own. */
static int can_recapture(const Tables *game, Position *pos, Search *search, int s) {
    int piece = pos->board[s];
    uint8_t stood = pos->shift[s];
    pos->shift[s] = (uint8_t)game->shift[pos->side ? piece - 1 : piece + 1];
    int guard = cheapest_attacker(game, pos, search, pos->side, s);
    pos->shift[s] = stood;
    return guard >= 0;
}

/* What the mover's piece on a square is likely to lose if it stays there: what it is worth more than the
   cheapest piece that may capture it, or all that, if it is not worth more and unguarded. */
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

/* Note by square what the mover's piece there is likely to lose if it stays. */
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

/* How likely a move is the best one; `hash_move` is that of the table of positions, and
   `threats_known` whether threats are noted, which quiet moves ask. */
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

/* So many moves that are made to be rated count as one position that is looked at. */
enum { RATED = 8 };

/* Rate the moves of a list. */
static void rate_moves(const Tables *game, Position *pos, Search *search, int at, int end,
                       uint64_t hash_move) {
    int noted = 0;
    if (game->burning) {
        // They are made for that, and each piece that burns others is asked: that is the work.
        search->visited += (end - at) / RATED;
    }
    for (int m = at; m < end; m++) {
        search->rated[m] = rate_move(game, pos, search, m, hash_move, &noted);
    }
}

/* The rating of a move once it is known whether it loses something, which is only asked of captures and
   promotions that come first and gain at least so much. */
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
    // What gains more than it may lose is good, whatever comes after it.
    int good = gain >= 0 && gain >= risk && !game->royal[pos->moves[m].becomes];
    int value = good ? gain : exchange_value(game, pos, search, m, gain);
    return value < 0 ? LOSING + value : rating;
}

/* The first move of part of a list that no other is rated higher than. */
static int index_of_best_rated(const Search *search, int m, int end) {
    int best = m;
    for (int x = m; x < end; x++) {
        best = search->rated[x] > search->rated[best] ? x : best;
    }
    return best;
}

/* Bring the move with the best rating of those left to `m`; the rating. Of what gains less than `least` it
   is not asked whether it loses something. */
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

/* Forget which moves were good. */
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
