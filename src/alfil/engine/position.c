/* Moves made and unmade. */

/* The last numbers that a move notes to be taken back: how many pieces it captured, its piece, the
   moves of that so far, the trail and the victim before, where its notes begin, and what
   `exchanged` was. */
enum { NOTED = 7 };

static inline int32_t *last_undo_record(const Position *pos) {
    return pos->undo + pos->undone - NOTED;
}

/* Note who holds whom once the move of the list has been made; noted was how that was before. */
static RARE void update_holds_after_move(const Tables *game, Position *pos, int m) {
    const Move *move = pos->moves + m;
    int32_t *top = last_undo_record(pos);
    int32_t *first = pos->undo + top[5];
    int changed = move->flags & CHANGING ? top[-1] : 0;
    TouchedSquares trace = {{{0}}, {{0}}};
    add_square(&trace.came, move->target);
    if (move->origin != game->size) {
        add_square(&trace.touched, move->origin);
    }
    if (move->partner) {
        add_square(&trace.touched, (move->partner - 1) >> 11);
        add_square(&trace.touched, (move->partner - 1) & SQUARE);
        add_square(&trace.came, (move->partner - 1) & SQUARE);
    }
    add_square(&trace.touched, move->target);
    for (int x = 0; x < top[0] + changed; x++) {
        add_square(&trace.touched, first[4 * x]);
    }
    update_hold_pairs(game, pos, first - first[-1] - 2, &trace);
}

/* Capture all that a move captures itself where every piece has one square; how many pieces. */
static inline int make_captures(const Tables *game, Position *pos, int m, int32_t *top) {
    const Move *move = pos->moves + m;
    const int32_t *c = captures_en_route(game, pos, move->node);
    int taken = 0;
    for (int x = 0; x < c[0]; x++) {
        if (pos->board[nth_square_of_captures(game, pos, c, x)]) {
            capture(game, pos, nth_square_of_captures(game, pos, c, x), top + 4 * taken++);
        }
    }
    int target = move->target;
    if (move->flags & PASSANT) {
        capture(game, pos, pos->victim, top + 4 * taken++);
    } else if (target != move->origin && pos->board[target] && !move->partner) {
        capture(game, pos, target, top + 4 * taken++);
    }
    return taken;
}

/* Whether a piece is one of those that may not be exchanged, or of those that make up for none. */
static int is_piece_of_rule(const Tables *game, int rule, int piece) {
    return list_contains(game, game->rules[rule], (piece - 1) >> 1);
}

/* `exchanged` after a move of a piece that captured what is noted. */
static int exchange_mark_after(const Tables *game, int piece, const int32_t *noted, int taken) {
    int found = 0;
    for (int x = 0; x < taken && !is_piece_of_rule(game, RULE_NO_EXCHANGE, piece); x++) {
        found =
            is_piece_of_rule(game, RULE_NO_EXCHANGE, noted[4 * x + 1]) ? noted[4 * x] + 1 : found;
    }
    return found;
}

/* Whether what has come to a square perishes before it could burn anything. */
static int perishes_before_burning(const Tables *game, Position *pos, int square) {
    return game->rules[RULE_BURNS_FIRST] == BURNS_FIRST_STANDING &&
           is_in_effect_range(game, pos, square, SINGES);
}

/* Whether there is no room to make a move; all comes to nothing then. */
static inline int abort_without_undo_room(const Tables *game, const Position *pos) {
    int lacks = pos->unmade || pos->undone > pos->most_undone - game->most_undo;
    if (!LIKELY(!lacks)) {
        abort_call(game, ENDLESS);
    }
    return lacks;
}

/* Make a move of the list; `unmake` takes the last one back. */
static void make(const Tables *game, Position *pos, int m) {
    if (abort_without_undo_room(game, pos)) {
        pos->unmade++;
        return;
    }
    int made = 0;
    int piece = 0;
    int side = pos->side;
    int origin = pos->moves[m].origin;
    int target = pos->moves[m].target;
    int node = pos->moves[m].node;
    int passes = is_pass(game, pos, m);
    if (game->holding) {
        save_hold_pairs(pos);
    }
    int32_t *top = pos->undo + pos->undone;
    int32_t *first = top;
    int taken = 0;
    int trail = 0;
    if (origin == game->size) {
        pos->hands[side * game->kinds + node]--;
        made = pos->made[target];
        piece = 0;
        add_to_piece_list(game, pos, side, target, pos->counts[side]);
        pos->made[target] = UNKNOWN;
        if (game->starts[target] == pos->moves[m].becomes) {
            pos->made[target] = DROPPED;
        }
        put(game, pos, target, pos->moves[m].becomes);
    } else {
        piece = pos->board[origin];
        taken = has_large_pieces(game) ? capture_all_with_large_pieces(game, pos, m, top)
                                       : make_captures(game, pos, m, top);
        top += 4 * taken;
        made = pos->made[origin];
        int place = pos->places[origin];
        lift(game, pos, origin);
        pos->made[origin] = UNKNOWN;
        if (pos->moves[m].partner) {
            int rook = (pos->moves[m].partner - 1) >> 11;
            int stop = (pos->moves[m].partner - 1) & SQUARE;
            int count = next_move_count(pos->made[rook]);
            move_piece(game, pos, side, rook, stop);
            pos->made[rook] = UNKNOWN;
            pos->made[stop] = count;
        }
        pos->lists[side * game->size + place] = target;
        pos->places[target] = place;
        put(game, pos, target, pos->moves[m].becomes);
        pos->made[target] = passes ? made : next_move_count(made);
        if (pos->royals[side] == origin) {
            pos->royals[side] = target;
        }
        trail = en_passant_squares_of(game, pos, node);
    }
    if (pos->moves[m].flags & CHANGING) {
        int blasted = 0;
        if (game->burning && !perishes_before_burning(game, pos, target)) {
            // What it becomes by a move of its own burns; what it promotes to does so later.
            int whole = origin == game->size || node == NOTHING;
            int burnt =
                burn_in_range(game, pos, whole ? pos->moves[m].becomes : piece, target, top);
            top += 4 * burnt;
            taken += burnt;
        }
        if (taken && game->exploding) {
            blasted = explode(game, pos, target, top);
            top += 4 * blasted;
        }
        int changed =
            apply_move_effects(game, pos, m, piece ? piece : pos->moves[m].becomes, taken, top);
        taken += blasted;
        top += 4 * changed + 1;
        top[-1] = changed;
    }
    top[0] = taken;
    top[1] = piece;
    top[2] = made;
    top[3] = pos->trail;
    top[4] = pos->victim;
    top[5] = (int32_t)(first - pos->undo);
    top[6] = pos->exchanged;
    pos->undone = (int32_t)(top + NOTED - pos->undo);
    pos->exchanged =
        taken && game->rules[RULE_NO_EXCHANGE] ? exchange_mark_after(game, piece, first, taken) : 0;
    pos->trail = trail;
    pos->victim = target;
    pos->side = 1 - side;
    pos->number++;
    if (game->holding && !passes) {
        update_holds_after_move(game, pos, m);
    }
}

/* Give back pieces that the mover has taken, noted up to a place of `undo`. */
static void restore_captured_pieces(const Tables *game, Position *pos, int taken, int32_t *top) {
    while (taken) {
        taken--;
        top -= 4;
        int square = top[0];
        int piece = top[1];
        add_to_piece_list(game, pos, (piece - 1) & 1, square, top[2]);
        put(game, pos, square, piece);
        pos->made[square] = top[3];
        if (game->held[piece]) {
            pos->hands[pos->side * game->kinds + game->held[piece] - 1]--;
        }
    }
}

/* Take back the last move, which stands in the list. */
static void unmake(const Tables *game, Position *pos, int m) {
    if (pos->unmade) {
        pos->unmade--;
        return;
    }
    int side = 1 - pos->side;
    pos->side = side;
    pos->number--;
    int32_t *top = last_undo_record(pos);
    int origin = pos->moves[m].origin;
    int target = pos->moves[m].target;
    pos->trail = top[3];
    pos->victim = top[4];
    pos->undone = top[5];
    pos->exchanged = top[6];
    if (game->holding) {
        restore_hold_pairs(pos);
    }
    int taken = top[0];
    int piece = top[1];
    int made = top[2];
    if (pos->moves[m].flags & CHANGING) {
        top = undo_move_effects(game, pos, m, top);
    }
    int place = pos->places[target];
    lift(game, pos, target);
    if (origin == game->size) {
        // It was enlisted before they were taken.
        restore_captured_pieces(game, pos, taken, top);
        pos->hands[side * game->kinds + pos->moves[m].node]++;
        remove_from_piece_list(game, pos, side, target);
        pos->made[target] = made;
        return;
    }
    if (pos->royals[side] == target) {
        pos->royals[side] = origin;
    }
    pos->made[target] = UNKNOWN;
    if (pos->moves[m].partner) {
        int rook = (pos->moves[m].partner - 1) >> 11;
        int stop = (pos->moves[m].partner - 1) & SQUARE;
        move_piece(game, pos, side, stop, rook);
        pos->made[stop] = UNKNOWN;
        pos->made[rook] = 0;
    }
    pos->lists[side * game->size + place] = origin;
    pos->places[origin] = place;
    put(game, pos, origin, piece);
    pos->made[origin] = made;
    restore_captured_pieces(game, pos, taken, top);
}

/* What only the reply to a move could do. */
typedef struct {
    int trail;
    int victim;
    int exchanged;
} LapsedRights;

/* Have the other side move though none was made. */
static LapsedRights pass_turn(Position *pos) {
    LapsedRights lapsed = {pos->trail, pos->victim, pos->exchanged};
    pos->trail = pos->exchanged = 0;
    pos->side = 1 - pos->side;
    pos->number++;
    return lapsed;
}

static void take_back_pass(Position *pos, LapsedRights lapsed) {
    pos->side = 1 - pos->side;
    pos->number--;
    pos->trail = lapsed.trail;
    pos->victim = lapsed.victim;
    pos->exchanged = lapsed.exchanged;
}

/* Say of each move of a list what it captures and what it changes besides.

   `out` has for each one how many squares that are and those squares, then how many changes
   follow, and of each the square and what it puts there. */
void write_move_changes(const Tables *game, Position *pos, int first, int end, int64_t *out) {
    int n = 0;
    int m = first;
    while (m < end) {
        make(game, pos, m);
        int32_t *top = last_undo_record(pos);
        int32_t *place = pos->undo + top[5];
        out[n] = top[0];
        n++;
        for (int x = 0; x < top[0]; x++) {
            out[n] = place[4 * x];
            n++;
        }
        place += 4 * top[0];
        int count = pos->moves[m].flags & CHANGING ? top[-1] : 0;
        out[n] = count;
        n++;
        for (int x = 0; x < count; x++) {
            int square = place[4 * x];
            out[n] = square;
            out[n + 1] = anchor_square(game, pos, square) == square ? pos->board[square] : 0;
            for (int y = 0; y < count - 1 - x; y++) {
                // What the last one found there, where a square changes again.
                int32_t *again = place + 4 * (count - 1 - y);
                if (again[0] == square) {
                    out[n + 1] = again[1];
                }
            }
            n += 2;
        }
        unmake(game, pos, m);
        m++;
    }
}
