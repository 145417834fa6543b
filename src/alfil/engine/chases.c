/* Perpetual chases: which enemy pieces moves newly threaten to take, as xiangqi reckons it.

   What is listed stands behind place `at` of the list of moves; of a threat, `origin` is the square
   of the piece that could take, and `target` that of the other one. What roams chases nothing. */

/* List what a piece could do, legal or not; the place after the last. */
static int list_pseudo_legal_moves(const Tables *game, Position *pos, int s, int at) {
    return (int)list_moves_with_reasons(game, pos, s, at, pos->judged);
}

/* The squares of the pieces that could capture so that a side's game is lost. */
static Squares checkers_of(const Tables *game, Position *pos, int side) {
    Squares found = {{0}};
    for (int x = 0; x < pos->counts[1 - side]; x++) {
        int s = pos->lists[(1 - side) * game->size + x];
        if (attacks_royal(game, pos, s)) {
            add_square(&found, s);
        }
    }
    return found;
}

static int is_empty_set(const Squares *set) {
    for (int x = 0; x < (SQUARE + 1) / 32; x++) {
        if (set->words[x]) {
            return 0;
        }
    }
    return 1;
}

static int is_subset(const Squares *set, const Squares *other) {
    for (int x = 0; x < (SQUARE + 1) / 32; x++) {
        if (set->words[x] & ~other->words[x]) {
            return 0;
        }
    }
    return 1;
}

/* Whether a move leaves no royal open but to what gave check before. */
static int adds_no_checker(const Tables *game, Position *pos, int m, const Squares *checking) {
    make(game, pos, m);
    Squares found = checkers_of(game, pos, 1 - pos->side);
    unmake(game, pos, m);
    return is_subset(&found, checking);
}

/* Whether a move of the list captures on a square. */
static int captures_on(const Tables *game, Position *pos, int m, int square) {
    for (int x = 0, end_x = count_captured_squares(game, pos, m); x < end_x; x++) {
        if (nth_captured_square(game, pos, m, x) == square && pos->board[square]) {
            return 1;
        }
    }
    return 0;
}

/* Whether the piece on a square may take what is on another one. */
static int can_capture(const Tables *game, Position *pos, int s, int target,
                       const Squares *checking, int at) {
    int end = list_pseudo_legal_moves(game, pos, s, at);
    for (int m = at; m < end; m++) {
        if (captures_on(game, pos, m, target)) {
            int legal = !(pos->judged[m] & ((1 << REASONS) - 1));
            if (legal || (!is_empty_set(checking) && adds_no_checker(game, pos, m, checking))) {
                return 1;
            }
        }
    }
    return 0;
}

/* Whether a capture takes more than it may lose: a better piece, or one without protection.

   A piece that counts as much, and could take what attacks it, is offered an exchange. */
static int is_winning_capture(const Tables *game, Position *pos, int m, int capture_square,
                              const Squares *checking, int at) {
    int origin = pos->moves[m].origin;
    int gain = game->points[pos->board[capture_square]] - game->points[pos->board[origin]];
    if (gain > 0) {
        return 1;
    }
    if (!gain) {
        pos->side = 1 - pos->side;
        int exchanged = can_capture(game, pos, capture_square, origin, checking, at);
        pos->side = 1 - pos->side;
        if (exchanged) {
            return 0;
        }
    }
    int target = pos->moves[m].target;
    make(game, pos, m);
    int guarded = 0;
    for (int x = 0; x < pos->counts[pos->side] && !guarded; x++) {
        int s = pos->lists[pos->side * game->size + x];
        guarded = can_capture(game, pos, s, target, checking, at);
    }
    unmake(game, pos, m);
    return !guarded;
}

/* Note that the piece on a square could take what is on another one; the place after. */
static int write_threat(Position *pos, int at, int s, int taken) {
    pos->moves[at].origin = s;
    pos->moves[at].target = taken;
    return next_move_index(pos, at);
}

/* Move the threats that stand behind a list before it; the place after the last. */
static int move_threats_up(Position *pos, int first, int from, int end) {
    while (from < end) {
        pos->moves[first++] = pos->moves[from++];
    }
    return first;
}

/* List what a piece of the side to move threatens to take to advantage; the place after the last. */
static int list_threats_of_piece(const Tables *game, Position *pos, int s, const Squares *checking,
                                 int at) {
    int end = list_pseudo_legal_moves(game, pos, s, at);
    int last = end;
    for (int m = at; m < end; m++) {
        if (pos->judged[m] & ((1 << REASONS) - 1)) {
            continue;
        }
        for (int x = 0, end_x = count_captured_squares(game, pos, m); x < end_x; x++) {
            int q = nth_captured_square(game, pos, m, x);
            int piece = q < game->size ? pos->board[q] : 0;
            if (piece && game->chases[piece * game->size + q] & CHASED &&
                is_winning_capture(game, pos, m, q, checking, last)) {
                last = write_threat(pos, last, s, q);
            }
        }
    }
    return move_threats_up(pos, at, end, last);
}

/* List what the side that has moved threatens; the place after the last. */
static int list_threats(const Tables *game, Position *pos, int at) {
    int victims = pos->side;
    // What checks already is no reason why a piece should not be protected.
    Squares checking = checkers_of(game, pos, victims);
    int trail = pos->trail;
    pos->side = 1 - victims;
    pos->trail = 0;
    for (int x = 0; x < pos->counts[1 - victims]; x++) {
        int s = pos->lists[(1 - victims) * game->size + x];
        if (game->chases[pos->board[s] * game->size + s] & CHASES) {
            at = list_threats_of_piece(game, pos, s, &checking, at);
        }
    }
    pos->side = victims;
    pos->trail = trail;
    return at;
}

/* List who could take what before a move, pins aside, each by where it stands after the move. */
static int list_attacks_before_move(const Tables *game, Position *pos, const Move *move, int at) {
    for (int x = 0; x < pos->counts[pos->side]; x++) {
        int s = pos->lists[pos->side * game->size + x];
        int end = list_pseudo_legal_moves(game, pos, s, at);
        int last = end;
        for (int m = at; m < end; m++) {
            for (int y = 0, end_y = count_captured_squares(game, pos, m); y < end_y; y++) {
                int q = nth_captured_square(game, pos, m, y);
                if (q < game->size && pos->board[q]) {
                    last = write_threat(pos, last, s == move->origin ? move->target : s, q);
                }
            }
        }
        at = move_threats_up(pos, at, end, last);
    }
    return at;
}

/* The squares of the pieces that the last move newly threatens; it is taken back. */
static Squares unmake_and_find_chased(const Tables *game, Position *pos, int at) {
    Squares found = {{0}};
    int middle = list_threats(game, pos, at);
    const Move *move = &pos->line[pos->past].move;
    pos->moves[middle] = *move;
    unmake(game, pos, middle);
    pos->past--;
    int end = list_attacks_before_move(game, pos, move, middle);
    for (int m = at; m < middle; m++) {
        int known = 0;
        for (int n = middle; n < end && !known; n++) {
            known = pos->moves[n].origin == pos->moves[m].origin &&
                    pos->moves[n].target == pos->moves[m].target;
        }
        if (!known) {
            add_square(&found, pos->moves[m].target);
        }
    }
    return found;
}

/* Make the moves of the line again that were taken back, up to a place. */
static void remake_moves(const Tables *game, Position *pos, int last, int at) {
    while (pos->past < last) {
        pos->past++;
        pos->moves[at] = pos->line[pos->past].move;
        make(game, pos, at);
    }
}

/* The sides, a bit each, that chased one and the same piece with each of their moves after so many;
   the moves are taken back, and made again. */
static int sides_chasing_since(const Tables *game, Position *pos, int since, int at) {
    int last = pos->past;
    int known[2] = {0, 0};
    // By the side that chases, the pieces that all its moves chased, by where they stood then.
    Squares chased[2] = {{{0}}, {{0}}};
    while (pos->past > since) {
        Move move = pos->line[pos->past].move;
        int side = 1 - pos->side;
        Squares found = unmake_and_find_chased(game, pos, at);
        for (int x = 0; known[side] && x < (SQUARE + 1) / 32; x++) {
            found.words[x] &= chased[side].words[x];
        }
        known[side] = 1;
        chased[side] = found;
        Squares *others = &chased[1 - side];
        if (has_square(others, move.target)) {
            others->words[move.target >> 5] &= ~(UINT32_C(1) << (move.target & 31));
            if (move.origin < game->size) {
                add_square(others, move.origin);
            }
        }
    }
    remake_moves(game, pos, last, at);
    return !is_empty_set(&chased[0]) + 2 * !is_empty_set(&chased[1]);
}

/* Whether the last move attacks: a royal can be captured now, or by the piece that has moved anything. */
static int last_move_attacks(const Tables *game, Position *pos, int at) {
    int side = pos->side;
    int target = pos->line[pos->past].move.target;
    int found = 0;
    for (int x = 0; x < pos->counts[side] && !found; x++) {
        int k = pos->lists[side * game->size + x];
        for (int y = 0; game->royal[pos->board[k]] && y < pos->counts[1 - side] && !found; y++) {
            found = attacks_square(game, pos, pos->lists[(1 - side) * game->size + y], k);
        }
    }
    pos->side = 1 - side;
    int end = list_pseudo_legal_moves(game, pos, target, at);
    for (int m = at; m < end && !found; m++) {
        found = !(pos->judged[m] & ((1 << REASONS) - 1)) && is_capture(game, pos, m);
    }
    pos->side = side;
    return found;
}

/* Whether all moves after a place of the line attack that the side made which has just moved; they
   are taken back, and made again. */
static int always_attacked_since(const Tables *game, Position *pos, int since, int at) {
    int last = pos->past;
    int found = 1;
    while (pos->past > since && found) {
        if ((last - pos->past) % 2 == 0) {
            found = last_move_attacks(game, pos, at);
        }
        pos->moves[at] = pos->line[pos->past].move;
        unmake(game, pos, at);
        pos->past--;
    }
    remake_moves(game, pos, last, at);
    return found;
}
