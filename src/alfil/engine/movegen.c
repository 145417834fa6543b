/* The list of the legal moves; castling and what mates among it. */

/* Which moves of a piece are listed; those that are only `COUNTED` in any order. */
enum { NO_PASSANT, ONLY_PASSANT, ALL, ONLY_GAINS, COUNTED };

static int has_legal_drop(const Tables *game, Position *pos, int at);

/* Whether one of the nodes noted makes the same move; notes this one otherwise. */
static int is_duplicate_move(const Tables *game, Position *pos, int s, int node) {
    int q = (int)(word_of_node(game, pos, node) & SQUARE);
    int last = pos->noted_at[q];
    // What was noted of another piece is no place of this one, or is of another square.
    int met = last && last <= pos->noted &&
              (int)(word_of_node(game, pos, pos->nodes[last - 1]) & SQUARE) == q;
    for (int x = 0, end_x = met ? last : 0; x < end_x; x++) {
        int n = pos->nodes[x];
        if ((int)(word_of_node(game, pos, n) & SQUARE) != q ||
            en_passant_squares_of(game, pos, n) != en_passant_squares_of(game, pos, node)) {
            continue;
        }
        // A large piece may be captured on any of its squares.
        if (has_large_pieces(game)) {
            if (capture_same_pieces(game, pos, s, node, n)) {
                return 1;
            }
        } else if (node < 0 || n < 0) {
            if (capture_same_squares(game, pos, s, node, n)) {
                return 1;
            }
        } else if (game->company[n] == game->company[node] &&
                   is_en_passant_capture(game, pos, n, q) ==
                       is_en_passant_capture(game, pos, node, q)) {
            return 1;
        }
    }
    if (pos->noted == pos->most_noted) {
        abort_call(game, ENDLESS);
        return 0;
    }
    pos->nodes[pos->noted++] = node;
    pos->noted_at[q] = pos->noted;
    return 0;
}

/* Why a royal does not castle, out of check or through it; a partner on its way is gone. */
static int castling_illegality(const Tables *game, Position *pos, int at, int s, int target) {
    if (pos->checks) {
        return IN_CHECK;
    }
    int x = s;
    while (x != target) {
        if (x != s) {
            write_move(pos, at, s, x, pos->board[s], NOTHING);
            if (!is_safe_once_made(game, pos, at)) {
                return CROSSING | x << REASONS;
            }
        }
        x += target > s ? 1 : -1;
    }
    return LEGAL;
}

/* List the legal ways to castle to files, with partners wherever they stand. */
static int list_castlings_to_files(const Tables *game, Position *pos, int at, int s) {
    int p = pos->board[s];
    for (int file = 0; file < game->files; file++) {
        int partner = castling_partner_on_file(game, pos, s, file);
        int target = partner ? castling_target(s, partner) : 0;
        int guarded = partner && !game->lenient && game->royal[p];
        pos->fault = guarded ? castling_illegality(game, pos, at, s, target) : LEGAL;
        if (partner && (!pos->fault || pos->reasons)) {
            write_move(pos, at, s, target, p, NOTHING);
            pos->moves[at].partner = partner;
            at = emit_if_legal(game, pos, at, TRIED);
        }
        pos->fault = LEGAL;
    }
    return at;
}

/* List the legal ways to castle by one part; the place after the last. */
static int list_castlings(const Tables *game, Position *pos, int at, int s, const Part *part) {
    int p = pos->board[s];
    int guarded = !game->lenient && (!pos->careful || game->royal[p]);
    if (guarded && pos->checks && !pos->reasons) {
        return at;
    }
    Castling way = {part->from, 0, 0, 0};
    while (next_castling(game, pos, s, part, &way)) {
        int q = way.square;
        int by = q > s ? 1 : -1;
        int x = s + by;
        int fault = guarded && pos->checks ? IN_CHECK : LEGAL;
        while (guarded && x != q && !fault) {
            if (pos->careful && !pos->board[x]) {
                write_move(pos, at, s, x, p, way.node);
                fault = is_safe_once_made(game, pos, at) ? LEGAL : CROSSING | x << REASONS;
            } else if (!pos->board[x] && exposes_royal(game, pos, s, x, p, way.node)) {
                fault = CROSSING;
            }
            x += by;
        }
        if (!fault || pos->reasons) {
            write_move(pos, at, s, q, p, way.node);
            pos->moves[at].partner = way.partner;
            if (pos->careful) {
                pos->fault = fault;
                at = emit_if_legal(game, pos, at, TRIED);
                pos->fault = LEGAL;
            } else if (is_safe_once_made(game, pos, at)) {
                at = next_move_index(pos, at);
            }
        }
    }
    return at;
}

/* The forms in which a piece may end on a square as that stands. */
static int piece_types_on_arrival(const Tables *game, Position *pos, int node, int q) {
    if (pos->shift[q] == VACANT ||
        (pos->shift[q] == PASSED && !is_en_passant_capture(game, pos, node, q))) {
        return piece_types_without_capture(game, pos, node);
    }
    return piece_types_on_capture(game, pos, node);
}

/* Whether the moves of a piece are told by its lines, so that they have another order.

   Those of one that castles are where there is one plain royal a side. */
static int has_line_order(const Tables *game, Position *pos, int piece) {
    return game->lines[piece] && !(game->lines[piece] > 1 && pos->careful);
}

/* What a move is sorted by. */
static int64_t move_sort_key(const Tables *game, Position *pos, int m, int passant) {
    if (passant) {
        // The piece that moves is told by its node; the first form that arrives may be another.
        return ((int64_t)pos->moves[m].partner * 2048 + pos->moves[m].target) * 2048 +
               pos->moves[m].origin;
    }
    if (pos->moves[m].partner) {
        return 8192;
    }
    if (en_passant_squares_of(game, pos, pos->moves[m].node)) {
        return 4096;
    }
    return pos->moves[m].target;
}

/* Bring moves of one piece, or captures en passant, into order; equal ones stay as they are. */
static void sort_moves(const Tables *game, Position *pos, int first, int end, int passant) {
    int m = first + 1;
    while (m < end) {
        int x = m;
        while (x > first &&
               move_sort_key(game, pos, x - 1, passant) > move_sort_key(game, pos, x, passant)) {
            swap_moves(pos, x - 1, x);
            x--;
        }
        m++;
    }
}

/* Whether there are as many already of what others promote to as there may be. */
static int is_promotion_limit_reached(const Tables *game, Position *pos, int promotion) {
    int limit = game->side_limit[promotion];
    int count = 0;
    for (int file = 0; file < game->files; file++) {
        count += pos->on_file[promotion * game->files + file];
    }
    return limit && count >= limit;
}

/* What is noted of the pieces that a move of the list takes, with all that explodes and burns. */
typedef struct {
    int count;
    int same; /* those like what arrives, on its file */
} CaptureCount;

static RARE CaptureCount count_captures_by_making(const Tables *game, Position *pos, int m) {
    Move move = pos->moves[m];
    CaptureCount found = {0, 0};
    set_en_passant_class(game, pos, VACANT);
    make(game, pos, m);
    int32_t *top = last_undo_record(pos);
    int32_t *first = pos->undo + top[5];
    found.count = top[0];
    for (int x = 0; x < found.count; x++) {
        int file = game->file_of[first[4 * x]];
        found.same += first[4 * x + 1] == move.becomes && file == game->file_of[move.target];
    }
    unmake(game, pos, m);
    return found;
}

/* Whether a form may arrive by a node; what explodes or burns leaves room on a file, too. */
static int has_room_to_arrive(const Tables *game, Position *pos, int at, int form, int node, int s,
                              int q) {
    if (fits_on_file(game, pos, form, node, s, q)) {
        return 1;
    }
    if (!game->exploding && !game->burning) {
        return 0;
    }
    write_move(pos, at, s, q, form, node);
    pos->moves[at].flags = CHANGING | (is_en_passant_capture(game, pos, node, q) ? PASSANT : 0);
    CaptureCount found = count_captures_by_making(game, pos, at);
    set_en_passant_class(game, pos, PASSED);
    int there = pos->on_file[form * game->files + game->file_of[q]];
    return there - found.same < game->limit[form];
}

/* The forms that arrive by a node, by those that do without effects; what burns others captures. */
static int piece_types_with_burning(const Tables *game, Position *pos, int at, int node, int s,
                                    int q, int forms) {
    if (!game->burning || forms == piece_types_on_capture(game, pos, node)) {
        return forms;
    }
    write_move(pos, at, s, q, pos->board[s], node);
    pos->moves[at].flags = CHANGING;
    int captures = count_captures_by_making(game, pos, at).count > 0;
    set_en_passant_class(game, pos, PASSED);
    return captures ? piece_types_on_capture(game, pos, node) : forms;
}

/* What a piece of a side becomes that captures another one, by contagion; 0 where it catches nothing. */
static int contagion_of(const Tables *game, int side, int piece) {
    const int32_t *pairs = game->pool + game->rules[RULE_CONTAGION];
    for (int x = 0; piece && x < pairs[0]; x += 2) {
        if (pairs[1 + x] == (piece - 1) >> 1) {
            return 1 + 2 * pairs[2 + x] + side;
        }
    }
    return 0;
}

/* What a piece, no royal one, becomes by contagion as it goes by a node; 0 where it catches nothing.

   Of several captured pieces the one on its last square counts, or else the last on its way. */
static RARE int contagion_by_node(const Tables *game, Position *pos, int at, int s, int q,
                                  int node) {
    int found = 0;
    write_move(pos, at, s, q, pos->board[s], node);
    pos->moves[at].flags = is_en_passant_capture(game, pos, node, q) ? PASSANT : 0;
    for (int x = count_captured_squares(game, pos, at) - 1; x >= 0; x--) {
        int square = nth_captured_square(game, pos, at, x);
        int form = square < game->size ? contagion_of(game, pos->side, pos->board[square]) : 0;
        found = form ? form : found;
    }
    return game->royal[pos->board[s]] ? 0 : found;
}

/* List the legal moves that some nodes make; the place after the last. */
static int list_moves_by_nodes(const Tables *game, Position *pos, int at, int s, int node, int end,
                               int mode, int which) {
    int p = pos->board[s];
    view_board_as(game, pos, p, s);
    while (node < end) {
        uint64_t w = word_of_node(game, pos, node);
        int q = (int)(w & SQUARE);
        uint64_t t = w >> pos->shift[q];
        if (t & FORMS) {
            int passing = is_en_passant_capture(game, pos, node, q);
            int ok = which >= ALL || passing == which || !has_line_order(game, pos, p);
            if (which == ONLY_GAINS && pos->shift[q] == VACANT &&
                !captures_en_route(game, pos, node)[0]) {
                int quiet = piece_types_without_capture(game, pos, node);
                ok = game->pool[quiet + game->pool[quiet]] != p;
            }
            ok = ok && !(game->en_route && captures_en_passant_twice(game, pos, node, s, q));
            if (ok && game->twins[p] && is_duplicate_move(game, pos, s, node)) {
                ok = 0;
            }
            if (ok && (pos->careful || is_legal_by_node(game, pos, at, s, node, mode))) {
                int forms = piece_types_on_arrival(game, pos, node, q);
                view_board_as(game, pos, 0, s);
                forms = piece_types_with_burning(game, pos, at, node, s, q, forms);
                int caught =
                    game->rules[RULE_CONTAGION] ? contagion_by_node(game, pos, at, s, q, node) : 0;
                for (int x = 0; x < (caught ? 1 : game->pool[forms]); x++) {
                    int form = caught ? caught : game->pool[forms + 1 + x];
                    if (is_large_piece(game, form) &&
                        !has_space_after_capture(game, pos, form, s, node, q)) {
                        continue;
                    }
                    int fault =
                        has_room_to_arrive(game, pos, at, form, node, s, q) ? LEGAL : FULL_FILE;
                    if (!fault && game->side_limit && form != p &&
                        is_promotion_limit_reached(game, pos, form)) {
                        fault = SIDE_FULL;
                    }
                    if (fault && !pos->reasons) {
                        continue;
                    }
                    write_move(pos, at, s, q, form, node);
                    if (passing) {
                        pos->moves[at].flags = PASSANT;
                    }
                    if (pos->careful) {
                        pos->fault = fault;
                        at = emit_if_legal(game, pos, at, mode);
                        pos->fault = LEGAL;
                    } else {
                        at = next_move_index(pos, at);
                    }
                }
                view_board_as(game, pos, p, s);
            }
        }
        node = next_node(node, w, t);
    }
    view_board_as(game, pos, 0, s);
    return at;
}

/* Add the squares to which some nodes lead without a capture; whether any captures. */
static int add_quiet_targets(const Tables *game, Position *pos, int s, int node, int end,
                             Squares *quiet) {
    int taking = 0;
    while (node < end) {
        uint64_t w = word_of_node(game, pos, node);
        int q = (int)(w & SQUARE);
        uint64_t t = w >> pos->shift[q];
        if (t & FORMS && game->en_route && captures_en_passant_twice(game, pos, node, s, q)) {
            // That is no move.
        } else if (t & FORMS && is_capturing_node(game, pos, node, s, q)) {
            taking = 1;
        } else if (t & FORMS) {
            add_square(quiet, q);
        }
        node = next_node(node, w, t);
    }
    return taking;
}

/* Where a piece that has moved before would go from a square, as `add_quiet_targets` tells it. */
static int add_targets_once_moved(const Tables *game, Position *pos, int s, int piece,
                                  Squares *quiet) {
    int stood = pos->board[s];
    int made = pos->made[s];
    if (stood) {
        lift(game, pos, s);
    }
    put(game, pos, s, piece);
    pos->made[s] = UNKNOWN;
    view_board_as(game, pos, piece, s);
    Run run = first_run(game, pos, s);
    int taking = add_quiet_targets(game, pos, s, run.at, run.end, quiet);
    while (next_run(game, pos, s, &run)) {
        taking |= !run.part->steps && add_quiet_targets(game, pos, s, run.at, run.end, quiet);
    }
    release_run(pos, &run);
    view_board_as(game, pos, 0, s);
    lift(game, pos, s);
    if (stood) {
        put(game, pos, s, stood);
    }
    pos->made[s] = made;
    return taking;
}

/* Whether a promotion that is a move of its own, written at a place, gives check. */
static int promotion_gives_check(const Tables *game, Position *pos, int m) {
    int side = pos->side;
    set_en_passant_class(game, pos, VACANT);
    make(game, pos, m);
    int found = is_in_check(game, pos, 1 - side);
    unmake(game, pos, m);
    set_en_passant_class(game, pos, PASSED);
    return found;
}

/* List the legal moves by which a piece becomes one form, which must attack nothing then.

   `fault` is why it may not, wherever it goes. */
static int list_separate_promotions_to(const Tables *game, Position *pos, int at, int s, int form,
                                       int mode, int fault) {
    int piece = pos->board[s];
    Squares quiet = {{0}};
    if (is_large_piece(game, form) && !has_space_after_capture(game, pos, form, s, NOTHING, s)) {
        return at;
    }
    add_targets_once_moved(game, pos, s, form, &quiet);
    add_square(&quiet, s);
    for (int q = 0; q < game->size; q++) {
        Squares beyond = {{0}};
        if (!has_square(&quiet, q) || !fits_on_file(game, pos, form, NOTHING, s, q)) {
            continue;
        }
        lift(game, pos, s);
        int attacking = add_targets_once_moved(game, pos, q, form, &beyond);
        put(game, pos, s, piece);
        write_move(pos, at, s, q, form, NOTHING);
        int why = fault;
        if (!why && (attacking || promotion_gives_check(game, pos, at))) {
            why = ATTACKING_APART;
        }
        if (why) {
            at = keep_if_legal(pos, at, why);
        } else if (pos->careful) {
            at = emit_if_legal(game, pos, at, mode);
        } else if (is_safe_once_made(game, pos, at)) {
            at = next_move_index(pos, at);
        }
    }
    return at;
}

/* List the legal moves by which a piece promotes without a move of what it was.

   It stands where it promotes, or is the only one of its side. */
static RARE int list_separate_promotions(const Tables *game, Position *pos, int at, int s,
                                         int mode) {
    int p = pos->board[s];
    int count = 0;
    for (int file = 0; file < game->files; file++) {
        count += pos->on_file[p * game->files + file];
    }
    int ripe = count < 2 || game->ripe[p * game->size + s];
    int forms = game->apart[p];
    for (int x = 0; x < game->pool[forms]; x++) {
        int form = game->pool[forms + 1 + x];
        int full = game->side_limit && is_promotion_limit_reached(game, pos, form);
        if ((ripe && !full) || pos->reasons) {
            int fault = !ripe ? NO_FORM : full ? SIDE_FULL : LEGAL;
            at = list_separate_promotions_to(game, pos, at, s, form, mode, fault);
        }
    }
    return at;
}

/* `next_run`, as the piece on a square sees the board. */
static inline int next_run_in_view(const Tables *game, Position *pos, int s, Run *run) {
    view_board_as(game, pos, pos->board[s], s);
    int found = next_run(game, pos, s, run);
    view_board_as(game, pos, 0, s);
    return found;
}

/* List the legal moves of a piece; the place after the last.

   `which` is whether captures en passant are wanted, and nothing else; pieces that have no
   lines list them among the others. With `ALL` the moves come in no order, with `ONLY_GAINS`
   only those that capture or can promote. */
static int list_moves_of_piece(const Tables *game, Position *pos, int at, int s, int mode,
                               int which) {
    int p = pos->board[s];
    int first = at;
    if (at >= pos->last_listed || pos->stopped || is_immobilised(game, pos, s)) {
        return checked_list_end(game, pos, at);
    }
    pos->noted = 0;
    if (game->roaming && cell_of(game, p, s)->parts) {
        free_unused_burdens(game, pos, at);
    }
    Run run = first_run(game, pos, s);
    run.ordered = which != COUNTED;
    at = list_moves_by_nodes(game, pos, at, s, run.at, run.end, mode, which);
    while (next_run_in_view(game, pos, s, &run)) {
        if (run.part->unchecked && pos->checks && !pos->reasons) {
            continue;
        }
        if (!run.part->steps) {
            at = list_moves_by_nodes(game, pos, at, s, run.at, run.end, mode, which);
        } else if (which != ONLY_PASSANT && which != ONLY_GAINS) {
            at = list_castlings(game, pos, at, s, run.part);
        }
    }
    if (game->castling && game->castling[p] && which != ONLY_PASSANT && which != ONLY_GAINS) {
        at = list_castlings_to_files(game, pos, at, s);
    }
    if (game->apart && game->apart[p] && which != ONLY_PASSANT) {
        at = list_separate_promotions(game, pos, at, s, mode);
    }
    if (has_line_order(game, pos, p) && which == NO_PASSANT) {
        sort_moves(game, pos, first, at, 0);
    }
    return checked_list_end(game, pos, at);
}

/* List what some nodes make of a walk, all of it legal; the place after the last. */
static int list_moves_known_legal(const Tables *game, Position *pos, int at, int s, int node,
                                  int end) {
    while (node < end) {
        uint64_t w = game->nodes[node];
        int q = (int)(w & SQUARE);
        uint64_t t = w >> pos->shift[q];
        if (t & FORMS) {
            int forms = piece_types_on_arrival(game, pos, node, q);
            for (int x = 0; x < game->pool[forms]; x++) {
                write_move(pos, at, s, q, game->pool[forms + 1 + x], node);
                at = next_move_index(pos, at);
            }
        }
        node = next_node(node, w, t);
    }
    return checked_list_end(game, pos, at);
}

/* Whether all that a walk finds is legal where a piece is free. */
static int has_simple_moves(const Tables *game, Position *pos, int piece) {
    return !game->odd[piece] && !game->twins[piece] &&
           !(pos->trail && (game->passes[piece] || game->hopping));
}

/* How many pieces of the mover's list may move: none while it has to drop what is in hand. */
static int count_movable_pieces(const Tables *game, Position *pos) {
    if (game->setting) {
        for (int kind = 0; kind < game->kinds; kind++) {
            if (pos->hands[pos->side * game->kinds + kind]) {
                return 0;
            }
        }
    }
    return pos->counts[pos->side];
}

/* Whether a move of the list captures anything. */
static int is_capture(const Tables *game, Position *pos, int m) {
    if (game->burning) {
        return count_captures_by_making(game, pos, m).count > 0;
    }
    if (pos->moves[m].origin == game->size) {
        return 0;
    }
    for (int x = 0, end_x = count_captured_squares(game, pos, m); x < end_x; x++) {
        int q = nth_captured_square(game, pos, m, x);
        if (q < game->size && pos->board[q]) {
            return 1;
        }
    }
    return 0;
}

/* Leave nothing but captures in a list that has any; the place after the last. */
static int keep_only_captures(const Tables *game, Position *pos, int first, int end) {
    int at = first;
    int m = first;
    while (m < end) {
        if (is_capture(game, pos, m)) {
            swap_moves(pos, m, at);
            at++;
        }
        m++;
    }
    return at > first ? at : end;
}

/* What is left of a list of all moves by rules that look at all of them; the place after.

   Who has no other move may have to pass: that is told by the first royal, or the first piece. */
static int apply_must_capture_and_pass(const Tables *game, Position *pos, int first, int end) {
    if (game->take_first) {
        end = keep_only_captures(game, pos, first, end);
    }
    int side = pos->side;
    if (end > first || !game->stuck_passes || !pos->counts[side]) {
        return end;
    }
    if (is_in_check(game, pos, side)) {
        return end;
    }
    int square = game->size;
    int royals = count_royals(game, pos, side, ANY) + count_royals(game, pos, side, LAST);
    for (int j = 0, end_j = pos->counts[side]; j < end_j; j++) {
        int s = pos->lists[side * game->size + j];
        if (s < square && (!royals || game->royal[pos->board[s]])) {
            square = s;
        }
    }
    write_move(pos, first, square, square, pos->board[square], NOTHING);
    return next_move_index(pos, first);
}

/* Whether the side to move has any legal move. */
static int has_legal_move(const Tables *game, Position *pos, int at) {
    find_checks(game, pos);
    set_en_passant_class(game, pos, PASSED);
    int side = pos->side;
    int k = pos->royals[side];
    int end = at;
    if (!pos->careful) {
        end = list_moves_of_piece(game, pos, at, k, TRIED, ALL);
    }
    int32_t *base = pos->lists + side * game->size;
    int j = 0;
    int count = count_movable_pieces(game, pos);
    while (end == at && j < count) {
        int s = base[j];
        j++;
        if (s != k) {
            int mode = legality_mode_of(game, pos, s);
            end = list_moves_of_piece(game, pos, at, s, mode, ALL);
        }
    }
    pos->work += end - at;
    set_en_passant_class(game, pos, VACANT);
    return end > at || has_legal_drop(game, pos, at);
}

/* Whether a drop may not mate, and gives check as far as lines tell. */
static int may_be_barred_mate(const Tables *game, Position *pos, int piece, int q) {
    if (!game->drop_mate[piece]) {
        return 0;
    }
    if (game->hopping || pos->careful) {
        return 1;
    }
    int k = pos->royals[1 - pos->side];
    int a = attack_branches_of(game, piece, q, k);
    return a && attacks_by_branches(game, pos, a, q, k);
}

/* To know whether a drop mates, drops that answer it are tried, which may not mate either, and so
   on: so deep, and so many of them. */
enum { DEEPEST_TRIAL = 24, MOST_TRIES = 4096 };

/* Whether a move of the list mates; `at` is free room in the list. */
static int gives_mate(const Tables *game, Position *pos, int m, int at) {
    pos->tries += pos->deep > 0;
    if (pos->deep > DEEPEST_TRIAL || pos->tries > MOST_TRIES) {
        // Whatever is answered, all comes to nothing, and soon.
        abort_call(game, ENDLESS);
        return 0;
    }
    pos->deep++;
    make(game, pos, m);
    int side = pos->side;
    int found = is_in_check(game, pos, side);
    if (found) {
        found = !has_legal_move(game, pos, at);
    }
    unmake(game, pos, m);
    pos->deep--;
    return found;
}

/* Whether a drop of the list mates and may not; `at` is free room in the list. */
static int is_barred_mating_drop(const Tables *game, Position *pos, int m, int at) {
    const Move *drop = pos->moves + m;
    return may_be_barred_mate(game, pos, drop->becomes, drop->target) &&
           gives_mate(game, pos, m, at);
}

/* Leave out of the drops in a list those that mate and may not; the place after the last. */
static int remove_mating_drops(const Tables *game, Position *pos, int first, int end) {
    if (!game->mating) {
        return end;
    }
    int at = first;
    for (int m = first; m < end; m++) {
        if (!is_barred_mating_drop(game, pos, m, end)) {
            at = copy_move(pos, m, at) + 1;
        }
    }
    return at;
}

/* Whether any drop is legal; `at` is free room in the list. */
static int has_legal_drop(const Tables *game, Position *pos, int at) {
    int droppable = game->droppable[pos->side];
    int found = 0;
    for (int x = 0; x < game->pool[droppable] && !found; x++) {
        int kind = hand_kind_of_drop(game, pos, pos->side, x);
        int p = game->pool[droppable + 2 + 2 * x];
        int end = kind < 0 ? at : list_drops_of_piece(game, pos, at, kind, p);
        int m = at;
        while (game->mating && m < end && is_barred_mating_drop(game, pos, m, end)) {
            m++;
        }
        found = m < end;
        pos->tries += (end - at) / 64;
    }
    return found;
}

/* List all legal moves in no order; the place after the last. */
static int generate_legal_unordered(const Tables *game, Position *pos, int at) {
    find_checks(game, pos);
    set_en_passant_class(game, pos, PASSED);
    int side = pos->side;
    int start = at;
    for (int j = 0, end_j = count_movable_pieces(game, pos); j < end_j; j++) {
        int s = pos->lists[side * game->size + j];
        int p = pos->board[s];
        int mode = legality_mode_of(game, pos, s);
        Run run = first_run(game, pos, s);
        if (mode == FREE && has_simple_moves(game, pos, p) && !run.cell->parts) {
            at = list_moves_known_legal(game, pos, at, s, run.at, run.end);
        } else {
            at = list_moves_of_piece(game, pos, at, s, mode, ALL);
        }
    }
    set_en_passant_class(game, pos, VACANT);
    int first = at;
    at = list_drops(game, pos, at);
    at = remove_mating_drops(game, pos, first, at);
    return apply_must_capture_and_pass(game, pos, start, at);
}

/* Note the mover's pieces in order: the royal, then by piece and square. */
static void order_pieces(const Tables *game, Position *pos) {
    int side = pos->side;
    int32_t *base = pos->lists + side * game->size;
    int32_t *order = pos->order;
    int k = pos->royals[side];
    for (int j = 0, end_j = pos->counts[side]; j < end_j; j++) {
        int s = base[j];
        int key = pos->board[s] * 2048 + s;
        if (s == k || (pos->careful && game->royal[pos->board[s]])) {
            key = s;
        }
        int32_t *x = order + j;
        while (x > order && x[-1] > key) {
            x[0] = x[-1];
            x--;
        }
        x[0] = key;
    }
}

/* List all legal moves in one order: royals, other pieces by kind and square, then drops; the place
   after the last. */
int64_t generate_legal_moves(const Tables *game, Position *pos, int at) {
    int first = 0;
    int s = 0;
    int x = 0;
    find_checks(game, pos);
    order_pieces(game, pos);
    set_en_passant_class(game, pos, PASSED);
    int start = at;
    int count = count_movable_pieces(game, pos);
    for (int j = 0; j < count; j++) {
        s = pos->order[j] & SQUARE;
        int mode = legality_mode_of(game, pos, s);
        at = list_moves_of_piece(game, pos, at, s, mode, NO_PASSANT);
    }
    if (pos->trail) {
        first = at;
        for (int j = 0; j < count; j++) {
            s = pos->order[j] & SQUARE;
            int p = pos->board[s];
            if (has_line_order(game, pos, p)) {
                at = list_moves_of_piece(game, pos, at, s, TRIED, ONLY_PASSANT);
                x = first;
                while (x < at) {
                    if (pos->moves[x].origin == s) {
                        pos->moves[x].partner = p;
                    }
                    x++;
                }
            }
        }
        sort_moves(game, pos, first, at, 1);
        x = first;
        while (x < at) {
            pos->moves[x].partner = 0;
            x++;
        }
    }
    set_en_passant_class(game, pos, VACANT);
    first = at;
    at = list_drops(game, pos, at);
    at = remove_mating_drops(game, pos, first, at);
    return apply_must_capture_and_pass(game, pos, start, at);
}
