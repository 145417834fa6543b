/* Which moves are legal, and with which walls and gates. */

/* How moves are judged: all are legal, those that touch a mark are tried, all are, no others are.
 */
enum { FREE, TOUCHING, TRIED, ONLY_TOUCHING };

/* How the moves of a piece are judged. */
static int legality_mode_of(const Tables *game, Position *pos, int s) {
    int marked = is_royal_safety_square(pos, s);
    if (s == pos->royals[pos->side]) {
        return TRIED;
    }
    if (pos->careful) {
        if (marked || pos->checks || game->royal[pos->board[s]]) {
            return TRIED;
        }
        return TOUCHING;
    }
    if (pos->checks) {
        if (marked || pos->hopped) {
            return TRIED;
        }
        return ONLY_TOUCHING;
    }
    if (!marked) {
        return pos->hopped ? TOUCHING : FREE;
    }
    if (!pos->hopped && !game->special[pos->board[s]]) {
        uint8_t was = pos->shift[s];
        pos->shift[s] = VACANT;
        int pinned = is_attacked(game, pos, pos->royals[pos->side], 1 - pos->side, 1);
        pos->shift[s] = was;
        if (!pinned) {
            return FREE;
        }
    }
    return TRIED;
}

/* Whether a piece castles with another one where its movement says so. */
static int may_castle_with(const Tables *game, int p, int other) {
    int only = game->only_with ? game->only_with[p] : 0;
    return !only || list_contains(game, only, other);
}

/* The castling partner that stands ready, as in a move; 0 for none. */
static int find_castling_partner(const Tables *game, Position *pos, int s, int target,
                                 const Part *part) {
    int files = game->files;
    int32_t *bd = pos->board;
    int by = target > s ? 1 : -1;
    int file = s % files;
    int edge = part->inset;
    if (by > 0) {
        edge = files - 1 - edge;
    }
    int at = file + by;
    while (at >= 0 && at < files) {
        int q = s - file + at;
        if (bd[q]) {
            int own = ((bd[q] - 1) & 1) == ((bd[s] - 1) & 1);
            int far = by > 0 ? at - file : file - at;
            int ready = own && at == edge && pos->made[q] == 0 && far > part->steps;
            ready = ready && !is_large_piece(game, bd[q]);
            if (ready && may_castle_with(game, bd[s], bd[q])) {
                return q * 2048 + target - by + 1;
            }
            return 0;
        }
        at += by;
    }
    return 0;
}

/* A way to castle by a part: its node, where the piece goes, its partner as in a move. `next` is
   the node to look at after it. */
typedef struct {
    int next, node, square, partner;
} Castling;

/* Find the next way in which the piece on a square castles by a part; whether there is one. */
static int next_castling(const Tables *game, Position *pos, int s, const Part *part,
                         Castling *way) {
    while (way->next < part->until) {
        uint64_t w = game->nodes[way->next];
        int q = (int)(w & SQUARE);
        uint64_t t = w >> pos->shift[q];
        int partner = t & FORMS ? find_castling_partner(game, pos, s, q, part) : 0;
        *way = (Castling){next_node(way->next, w, t), way->next, q, partner};
        if (partner) {
            return 1;
        }
    }
    return 0;
}

/* The partner on a file with which a piece castles to files, as in a move; 0 for none. */
static int castling_partner_on_file(const Tables *game, Position *pos, int s, int file) {
    int castling = game->castling ? game->castling[pos->board[s]] : 0;
    int rank = s - game->file_of[s];
    int other = rank + file;
    int ready = 0;
    for (int x = 0; x < game->pool[castling] - 2; x++) {
        ready = ready || game->pool[castling + 3 + x] == pos->board[other];
    }
    int large = is_large_piece(game, pos->board[s]) || is_large_piece(game, pos->board[other]);
    if (!ready || pos->made[s] || pos->made[other] || other == s || large) {
        return 0;
    }
    int right = other > s;
    int target = rank + game->pool[castling + 1 + right];
    int stop = right ? target - 1 : target + 1;
    int low = s < target ? s : target;
    low = low < stop ? low : stop;
    low = low < other ? low : other;
    int high = s > target ? s : target;
    high = high > stop ? high : stop;
    high = high > other ? high : other;
    for (int q = low; q <= high; q++) {
        if (pos->board[q] && q != s && q != other) {
            return 0;
        }
    }
    return other * 2048 + stop + 1;
}

/* Where a piece goes that castles to files with such a partner. */
static int castling_target(int s, int partner) {
    int stop = (partner - 1) & SQUARE;
    return (partner - 1) >> 11 > s ? stop + 1 : stop - 1;
}

/* Whether royals, and enemies that aim at them, stand after a move where `find_checks` noted them. */
static int keeps_noted_royals(const Tables *game, const Position *pos, const Move *move) {
    return pos->careful && !game->effects && !game->duple && !has_large_pieces(game) &&
           move->origin != game->size && !move->partner && !(move->flags & CHANGING) &&
           !game->royal[pos->board[move->origin]] && !game->royal[move->becomes];
}

/* Whether a move, made in full, leaves its side's royal safe. */
static int is_safe_once_made(const Tables *game, Position *pos, int m) {
    int side = pos->side;
    int keeps = keeps_noted_royals(game, pos, pos->moves + m);
    set_en_passant_class(game, pos, VACANT);
    make(game, pos, m);
    set_en_passant_class(game, pos, PASSED);
    int found = keeps ? enemies_capture_royals(game, pos, side, pos->beside, pos->besides,
                                               pos->near, pos->nears)
                      : is_in_check(game, pos, side);
    set_en_passant_class(game, pos, VACANT);
    unmake(game, pos, m);
    set_en_passant_class(game, pos, PASSED);
    return !found;
}

/* Whether a move by a node is legal; `at` is free room in the list of moves. */
static int is_legal_by_node(const Tables *game, Position *pos, int at, int s, int node, int mode) {
    int q = (int)(game->nodes[node] & SQUARE);
    int p = pos->board[s];
    int k = pos->royals[pos->side];
    int passant = game->passing[node] && pos->shift[q] == PASSED;
    if (s != k && (q == k || captures_en_route_on(game, pos, node, k))) {
        return 0;
    }
    int touched = is_royal_safety_square(pos, q);
    int c = game->taken[node];
    int taken = 0;
    if (c) {
        for (int x = 0; x < game->pool[c]; x++) {
            if (is_royal_safety_square(pos, game->pool[c + 1 + x])) {
                taken = 1;
            }
        }
    }
    if (passant || (game->hopping && (pos->trail || game->trailing[node]))) {
        write_move(pos, at, s, q, p, node);
        pos->moves[at].flags = passant ? PASSANT : 0;
        return is_safe_once_made(game, pos, at);
    }
    if (mode == ONLY_TOUCHING && !(touched || taken)) {
        return 0;
    }
    if (mode == FREE && !taken) {
        return 1;
    }
    if (mode == TOUCHING && !(touched || taken)) {
        return 1;
    }
    return !exposes_royal(game, pos, s, q, p, node);
}

/* Whether a royal in check goes away instead of capturing what gives check. */
static int flees_instead_of_capturing(const Tables *game, Position *pos, int m) {
    int side = pos->side;
    int origin = pos->moves[m].origin;
    if (!pos->checks || origin == game->size || !game->royal[pos->board[origin]]) {
        return 0;
    }
    for (int j = 0, end_j = pos->counts[1 - side]; j < end_j; j++) {
        int s = pos->lists[(1 - side) * game->size + j];
        int taken = 0;
        for (int x = 0, end_x = count_captured_squares(game, pos, m); x < end_x; x++) {
            if (nth_captured_square(game, pos, m, x) == s) {
                taken = 1;
            }
        }
        if (!taken && is_checker(game, pos, s)) {
            return 1;
        }
    }
    return 0;
}

/* Whether an enemy could capture on a square what has just moved there. */
static int can_be_recaptured(const Tables *game, Position *pos, int square) {
    const int32_t *enemies = pos->lists + pos->side * game->size;
    for (int j = 0; j < pos->counts[pos->side]; j++) {
        if (attacks_square(game, pos, enemies[j], square)) {
            return 1;
        }
    }
    return 0;
}

/* Whether the other side could capture in turn on the square where a move of the list ends.

   `guard` is the square of a piece that the move captures, and that still guards the other one, or
   the number of squares. */
static int can_be_recaptured_after(const Tables *game, Position *pos, int m, int guard) {
    int piece = guard < game->size ? pos->board[guard] : 0;
    int target = pos->moves[m].target;
    int32_t noted[4];
    set_en_passant_class(game, pos, VACANT);
    make(game, pos, m);
    // What has exploded or was burnt is taken by nobody.
    int stands = pos->board[target] != 0;
    int found = stands && can_be_recaptured(game, pos, target);
    if (stands && !found && piece && !pos->board[guard]) {
        change_square(game, pos, guard, piece, noted);
        found = attacks_square(game, pos, guard, target);
        undo_square_change(game, pos, noted);
    }
    unmake(game, pos, m);
    set_en_passant_class(game, pos, PASSED);
    return found;
}

/* Whether a move captures on a square what would be captured in turn there, and nothing more than
   minor pieces besides. */
static int is_exchange_on_square(const Tables *game, Position *pos, int m, int square) {
    int guard = game->size;
    for (int x = 0, end_x = count_captured_squares(game, pos, m); x < end_x; x++) {
        int q = nth_captured_square(game, pos, m, x);
        if (q < game->size && q != square && pos->board[q]) {
            if (!is_piece_of_rule(game, RULE_NO_EXCHANGE_MINOR, pos->board[q])) {
                return 0;
            }
            guard = q;
        }
    }
    int origin = pos->moves[m].origin;
    int files = game->file_of[square] - game->file_of[origin];
    int ranks = square / game->files - origin / game->files;
    return king_distance(files, ranks) > 1 && can_be_recaptured_after(game, pos, m, guard);
}

/* Whether a move exchanges pieces that may not be exchanged.

   Such a piece takes another one only next to it, or unguarded, or with more than minor pieces
   besides. Where another piece has just taken one, only such a piece takes one elsewhere. */
static int breaks_exchange_rule(const Tables *game, Position *pos, int m) {
    int prized = is_piece_of_rule(game, RULE_NO_EXCHANGE, pos->board[pos->moves[m].origin]);
    if (!prized && !pos->exchanged) {
        return 0;
    }
    for (int x = 0, end_x = count_captured_squares(game, pos, m); x < end_x; x++) {
        int q = nth_captured_square(game, pos, m, x);
        if (q < game->size && pos->board[q] &&
            is_piece_of_rule(game, RULE_NO_EXCHANGE, pos->board[q]) &&
            (prized ? is_exchange_on_square(game, pos, m, q) : q != pos->exchanged - 1)) {
            return 1;
        }
    }
    return 0;
}

/* Whether a piece that captures nothing protected would be captured in turn where it captures.

   What protects is not asked whether it may capture in turn. */
static int captures_protected(const Tables *game, Position *pos, int m) {
    if (!is_piece_of_rule(game, RULE_CAPTURES_UNPROTECTED, pos->board[pos->moves[m].origin])) {
        return 0;
    }
    for (int x = 0, end_x = count_captured_squares(game, pos, m); x < end_x; x++) {
        int q = nth_captured_square(game, pos, m, x);
        if (q < game->size && pos->board[q]) {
            return can_be_recaptured_after(game, pos, m, game->size);
        }
    }
    return 0;
}

/* Whether a move that has been made gives check. */
static int has_given_check(const Tables *game, Position *pos, int m) {
    (void)m;
    return is_in_check(game, pos, pos->side);
}

/* The rules that make moves illegal besides those of check: a move by which `breaks` holds, asked
   before or once it is `made`, has the reason. Where one of them is the rule of a game, all its moves
   are judged one by one. */
enum { BEFORE, MADE };
/* In place of a value: whatever it is, where the rule is not empty. */
enum { GIVEN_PIECES = -1 };
static const struct Law {
    int rule, value, reason, made;
    int (*breaks)(const Tables *game, Position *pos, int m);
} LAWS[] = {
    {RULE_FLIGHT, FLIGHT_BARRED, FLIGHT, BEFORE, flees_instead_of_capturing},
    {RULE_GIVING_CHECK, GIVING_CHECK_BARRED, GIVING_CHECK, MADE, has_given_check},
    {RULE_NO_EXCHANGE, GIVEN_PIECES, EXCHANGE, BEFORE, breaks_exchange_rule},
    {RULE_CAPTURES_UNPROTECTED, GIVEN_PIECES, PROTECTED, BEFORE, captures_protected},
};

/* Whether a game has a law that is asked then. */
static int has_this_law(const Tables *game, const struct Law *law, int when) {
    int value = game->rules[law->rule];
    return law->made == when && (law->value == GIVEN_PIECES ? value != 0 : value == law->value);
}

static int has_law(const Tables *game, int when) {
    int found = 0;
    for (size_t n = 0; n < sizeof LAWS / sizeof *LAWS; n++) {
        found |= has_this_law(game, LAWS + n, when);
    }
    return found;
}

/* Why a move of the list is not legal by one of these rules. */
static int reason_of_broken_law(const Tables *game, Position *pos, int m, int when) {
    for (size_t n = 0; n < sizeof LAWS / sizeof *LAWS; n++) {
        const struct Law *law = LAWS + n;
        if (has_this_law(game, law, when) && law->breaks(game, pos, m)) {
            return law->reason;
        }
    }
    return LEGAL;
}

/* `move_illegality` where rules ask what stands after a move. */
static int move_illegality_once_made(const Tables *game, Position *pos, int m) {
    int side = pos->side;
    int faced = pos->faced;
    int passing = is_pass(game, pos, m);
    int before = reason_of_broken_law(game, pos, m, BEFORE);
    int taking = may_remove_royals(game, pos, m);
    int mine = taking ? count_royals(game, pos, side, LAST) : 0;
    int theirs = taking ? count_royals(game, pos, 1 - side, LAST) : 0;
    set_en_passant_class(game, pos, VACANT);
    make(game, pos, m);
    int won = taking && has_lost_royals(game, pos, m, 1 - side, theirs);
    int lost = taking && has_lost_royals(game, pos, m, side, mine) && !game->lenient;
    int reason = LEGAL;
    if (lost) {
        reason = won && !game->effects ? LEGAL : ROYAL_TAKEN;
    } else if (!won && !(faced && passing)) {
        reason = faced && royals_face_each_other(game, pos) ? FACING : before;
        if (!reason) {
            reason = reason_of_broken_law(game, pos, m, MADE);
        }
        if (!reason && !game->lenient) {
            set_en_passant_class(game, pos, PASSED);
            reason = is_in_check(game, pos, side) ? SELF_CHECK : LEGAL;
            set_en_passant_class(game, pos, VACANT);
        }
    }
    unmake(game, pos, m);
    set_en_passant_class(game, pos, PASSED);
    return reason;
}

/* Whether moves change nothing but what goes, what is captured, what explodes and where they build, and
   depend on nothing but whether royals could be captured then. A duck goes, too, from where it was. */
static int marks_decide_legality(const Tables *game, const Position *pos) {
    return !(has_law(game, BEFORE) || has_law(game, MADE) || pos->faced || game->ranges || game->turning ||
             game->walling == DUCK || game->gating);
}

/* Whether a move of the list, no drop, changes anything on which the safety of a royal depends.

   What goes to a square, or is built there, may only shield a royal, but where a path goes on over it. */
static int affects_royal_safety(const Tables *game, Position *pos, int m) {
    int target = pos->moves[m].target;
    int extra = pos->moves[m].flags >> EXTRA;
    if (game->royal[pos->moves[m].becomes] || pos->moves[m].partner ||
        (game->hopping && en_passant_squares_of(game, pos, pos->moves[m].node))) {
        return 1;
    }
    int capturing = 0;
    for (int x = 0, end_x = count_captured_squares(game, pos, m); x < end_x; x++) {
        int square = nth_captured_square(game, pos, m, x);
        if (square < game->size && pos->board[square]) {
            capturing = 1;
            if ((square != target || game->effects) && is_royal_safety_square(pos, square)) {
                return 1;
            }
        }
    }
    if (capturing && game->exploding) {
        int around = game->around[target];
        for (int x = 0; x < game->pool[around]; x++) {
            if (is_royal_safety_square(pos, game->pool[around + 1 + x])) {
                return 1;
            }
        }
    }
    return may_expose_if_occupied(pos, target) ||
           (game->walling && extra && may_expose_if_occupied(pos, extra - 1));
}

/* Why a move of the list, no drop, is not legal, whatever royals there are.

   It captures nothing that it may not. */
static int move_illegality(const Tables *game, Position *pos, int m, int mode) {
    int side = pos->side;
    if (pos->fault) {
        return pos->fault;
    }
    int lawful = !has_law(game, BEFORE) && !has_law(game, MADE);
    if (game->lenient && lawful && !pos->faced) {
        return LEGAL;
    }
    if (mode == TOUCHING && marks_decide_legality(game, pos) &&
        !affects_royal_safety(game, pos, m)) {
        return LEGAL;
    }
    if (game->effects || has_law(game, MADE) || pos->faced) {
        return move_illegality_once_made(game, pos, m);
    }
    if (captures_lose_royals(game, pos, m, 1 - side)) {
        return LEGAL;
    }
    int reason = lawful ? LEGAL : reason_of_broken_law(game, pos, m, BEFORE);
    if (reason) {
        return reason;
    }
    if (game->lenient) {
        return LEGAL;
    }
    if (captures_lose_royals(game, pos, m, side)) {
        return ROYAL_TAKEN;
    }
    return (mode == TRIED || affects_royal_safety(game, pos, m)) && !is_safe_once_made(game, pos, m)
               ? SELF_CHECK
               : LEGAL;
}

/* Keep the move written at a place if it is legal, or if reasons are asked for; the place after. */
static int keep_if_legal(Position *pos, int at, int reason) {
    if (!pos->reasons) {
        return reason ? at : next_move_index(pos, at);
    }
    pos->reasons[at] = reason;
    return next_move_index(pos, at);
}

/* Note the squares to which some nodes go without a capture. */
static void mark_wall_targets(const Tables *game, Position *pos, int node, int end) {
    while (node < end) {
        uint64_t w = word_of_node(game, pos, node);
        int q = (int)(w & SQUARE);
        uint64_t t = w >> pos->shift[q];
        int free = !pos->board[q] && (pos->shift[q] == VACANT || pos->shift[q] == PASSED);
        if (t & FORMS && !captures_en_route(game, pos, node)[0] && free) {
            pos->spots[q] = 1;
        }
        node = next_node(node, w, t);
    }
}

/* Note the squares to which a piece on a square could castle by one part. */
static void mark_castling_wall_targets(const Tables *game, Position *pos, int s, const Part *part) {
    Castling way = {part->from, 0, 0, 0};
    while (next_castling(game, pos, s, part, &way)) {
        if (!pos->board[way.square]) {
            pos->spots[way.square] = 1;
        }
    }
}

/* Note the squares on which the piece that has moved to one may build, whatever the region. */
static void mark_wall_squares(const Tables *game, Position *pos, int s) {
    if (game->walling != ARROW) {
        for (int q = 0; q < game->size; q++) {
            pos->spots[q] = !pos->board[q];
        }
        return;
    }
    if ((!is_piece_of_side(game, pos, s, 0) && !is_piece_of_side(game, pos, s, 1)) ||
        is_immobilised(game, pos, s)) {
        // What has perished, or turned to stone, shoots no more.
        return;
    }
    view_board_as(game, pos, pos->board[s], s);
    Run run = first_run(game, pos, s);
    mark_wall_targets(game, pos, run.at, run.end);
    while (next_run(game, pos, s, &run)) {
        if (run.part->steps) {
            mark_castling_wall_targets(game, pos, s, run.part);
        } else {
            mark_wall_targets(game, pos, run.at, run.end);
        }
    }
    release_run(pos, &run);
    view_board_as(game, pos, 0, s);
    for (int file = 0; file < game->files; file++) {
        int partner = castling_partner_on_file(game, pos, s, file);
        int q = partner ? castling_target(s, partner) : s;
        if (!pos->board[q]) {
            pos->spots[q] = 1;
        }
    }
}

/* List a move, written at a place, with every wall that it may build; the place after. */
static int list_with_walls(const Tables *game, Position *pos, int at, int mode) {
    int size = game->size;
    const int32_t *allowed_on = game->may_wall + pos->side * size;
    int first = at;
    int flags = pos->moves[at].flags;
    int shown = pos->moves[at].origin != size;
    if (shown) {
        set_en_passant_class(game, pos, VACANT);
    }
    make(game, pos, at);
    mark_wall_squares(game, pos, pos->moves[at].target);
    unmake(game, pos, at);
    if (shown) {
        set_en_passant_class(game, pos, PASSED);
    }
    for (int q = 0; q < size; q++) {
        if (pos->spots[q]) {
            pos->spots[q] = 0;
            if (allowed_on[q] && at < pos->last_listed && !pos->stopped) {
                pos->moves[at].flags = flags | ((q + 1) << EXTRA);
                copy_move(pos, at, at + 1);
                at = keep_if_legal(pos, at,
                                   shown ? move_illegality(game, pos, at, mode) : pos->fault);
            }
        }
    }
    return at > first ? at : keep_if_legal(pos, at, NO_WALL);
}

/* Whether a move ends on a square, or its castling partner goes there. */
static int lands_on(const Tables *game, Position *pos, int m, int q) {
    const Move *move = pos->moves + m;
    int partner = move->partner;
    return occupies_square(game, move->becomes, move->target, q) ||
           (partner != 0 && ((partner - 1) & SQUARE) == q);
}

/* Whether a piece from the hand has space on a square that a move leaves. */
static int has_space_to_gate(const Tables *game, Position *pos, int m, int piece, int q) {
    const int32_t *body = occupied_offsets(game, piece);
    int origin = pos->moves[m].origin;
    for (int x = 0; x < body[0]; x++) {
        int at = q + body[1 + x];
        int goes = at == q || (is_large_piece(game, pos->board[at]) && pos->anchor[at] == origin);
        if (lands_on(game, pos, m, at) || (pos->board[at] && !goes)) {
            return 0;
        }
    }
    return 1;
}

/* Whether a move leaves squares, and its side may build on all of them. */
static int may_wall_vacated_squares(const Tables *game, Position *pos, int m) {
    const int32_t *may_wall = game->may_wall + pos->side * game->size;
    int origin = pos->moves[m].origin;
    const int32_t *body = occupied_offsets(game, pos->board[origin]);
    int count = 0;
    for (int x = 0; x < body[0]; x++) {
        int q = origin + body[1 + x];
        if (!lands_on(game, pos, m, q)) {
            count++;
            if (!may_wall[q]) {
                return 0;
            }
        }
    }
    return count;
}

/* List a move, written at a place, and what it may leave from the hand; the place after. */
static int list_with_gated_pieces(const Tables *game, Position *pos, int at, int mode) {
    int side = pos->side;
    int q = pos->moves[at].origin;
    int partner = pos->moves[at].partner;
    int flags = pos->moves[at].flags;
    // What is left behind ends no check, nor does it shield a pin.
    int bare = move_illegality(game, pos, at, mode);
    if (bare && !pos->reasons) {
        return at;
    }
    copy_move(pos, at, at + 1);
    at = keep_if_legal(pos, at, bare);
    for (int n = 0, end_n = partner ? 2 : 1; n < end_n; n++) {
        if (n) {
            q = (partner - 1) >> 11;
        }
        if (game->gates[pos->board[q]] && !pos->made[q] && !lands_on(game, pos, at, q)) {
            for (int kind = 0; kind < game->kinds; kind++) {
                int p = 1 + 2 * kind + side;
                int there = (game->drop_squares[game->words * p + (q >> 5)] >> (q & 31)) & 1;
                there = there && has_space_to_gate(game, pos, at, p, q);
                if (pos->hands[side * game->kinds + kind] && there) {
                    pos->moves[at].flags = flags | CHANGING | ((2 * (kind + 1) + n) << EXTRA);
                    copy_move(pos, at, at + 1);
                    int reason = move_illegality(game, pos, at, mode);
                    at = keep_if_legal(pos, at, bare && !reason ? NO_SHIELD : reason);
                }
            }
        }
    }
    return at;
}

/* Keep the move written at a place, with all it may build or leave, if legal; the place after.

   It is no drop, and is judged whatever royals there are. */
static int emit_if_legal(const Tables *game, Position *pos, int at, int mode) {
    if (game->iron && captures_barred_piece(game, pos, at)) {
        // Nor is it made to see what it would change: a wall is on no list that it could leave.
        return at;
    }
    if (is_pass(game, pos, at)) {
        return keep_if_legal(pos, at, move_illegality(game, pos, at, mode));
    }
    if (game->effects) {
        pos->moves[at].flags = pos->moves[at].flags | CHANGING;
    }
    if (game->gating) {
        return list_with_gated_pieces(game, pos, at, mode);
    }
    if (game->walling && game->walling != LEFT) {
        return list_with_walls(game, pos, at, mode);
    }
    if (game->walling && !may_wall_vacated_squares(game, pos, at)) {
        // Walls are to be built where the piece stood.
        return keep_if_legal(pos, at, NO_WALL);
    }
    return keep_if_legal(pos, at, move_illegality(game, pos, at, mode));
}
