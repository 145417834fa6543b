/* Which moves are legal, and with which walls and gates. */

/* How moves are judged: all are legal, those that touch a mark are tried, all are, no others are.
 */
enum { FREE, TOUCHING, TRIED, ONLY_TOUCHING };

/* How the moves of a piece are judged. */
static int mode_of(const Tables *game, Position *pos, int s) {
    int marked = is_marked(pos, s);
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
static int may_be_partner(const Tables *game, int p, int other) {
    int only = game->only_with ? game->only_with[p] : 0;
    return !only || lists(game, only, other);
}

/* The castling partner that stands ready, as in a move; 0 for none. */
static int partner_of(const Tables *game, Position *pos, int s, int to, const Part *part) {
    int files = game->files;
    int32_t *bd = pos->board;
    int by = to > s ? 1 : -1;
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
            ready = ready && !is_large(game, bd[q]);
            if (ready && may_be_partner(game, bd[s], bd[q])) {
                return q * 2048 + to - by + 1;
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
        int partner = t & FORMS ? partner_of(game, pos, s, q, part) : 0;
        *way = (Castling){next_node(way->next, w, t), way->next, q, partner};
        if (partner) {
            return 1;
        }
    }
    return 0;
}

/* The partner on a file with which a piece castles to files, as in a move; 0 for none. */
static int partner_on(const Tables *game, Position *pos, int s, int file) {
    int castling = game->castling ? game->castling[pos->board[s]] : 0;
    int rank = s - game->file_of[s];
    int other = rank + file;
    int ready = 0;
    for (int x = 0; x < game->pool[castling] - 2; x++) {
        ready = ready || game->pool[castling + 3 + x] == pos->board[other];
    }
    int large = is_large(game, pos->board[s]) || is_large(game, pos->board[other]);
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
static int castled(int s, int partner) {
    int stop = (partner - 1) & SQUARE;
    return (partner - 1) >> 11 > s ? stop + 1 : stop - 1;
}

/* Whether royals, and enemies that aim at them, stand after a move where `find_checks` noted them. */
static int keeps_royals(const Tables *game, const Position *pos, const Move *move) {
    return pos->careful && !game->effects && !game->duple && !has_bodies(game) &&
           move->origin != game->size && !move->partner && !(move->flags & CHANGING) &&
           !game->royal[pos->board[move->origin]] && !game->royal[move->becomes];
}

/* Whether a move, made in full, leaves its side's royal safe. */
static int tried(const Tables *game, Position *pos, int m) {
    int side = pos->side;
    int keeps = keeps_royals(game, pos, pos->moves + m);
    show_trail(game, pos, VACANT);
    make(game, pos, m);
    show_trail(game, pos, PASSED);
    int found = keeps ? takes_royals(game, pos, side, pos->beside, pos->besides, pos->near, pos->nears)
                      : is_in_check(game, pos, side);
    show_trail(game, pos, VACANT);
    unmake(game, pos, m);
    show_trail(game, pos, PASSED);
    return !found;
}

/* Whether a move by a node is legal; `at` is free room in the list of moves. */
static int allowed(const Tables *game, Position *pos, int at, int s, int i, int mode) {
    int q = (int)(game->nodes[i] & SQUARE);
    int p = pos->board[s];
    int k = pos->royals[pos->side];
    int passant = game->passing[i] && pos->shift[q] == PASSED;
    if (s != k && (q == k || takes(game, pos, i, k))) {
        return 0;
    }
    int touched = is_marked(pos, q);
    int c = game->taken[i];
    int taken = 0;
    if (c) {
        for (int x = 0; x < game->pool[c]; x++) {
            if (is_marked(pos, game->pool[c + 1 + x])) {
                taken = 1;
            }
        }
    }
    if (passant || (game->hopping && (pos->trail || game->trailing[i]))) {
        write(pos, at, s, q, p, i);
        pos->moves[at].flags = passant ? PASSANT : 0;
        return tried(game, pos, at);
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
    return !exposes_royal(game, pos, s, q, p, i);
}

/* Whether a royal in check goes away instead of capturing what gives check. */
static int flees(const Tables *game, Position *pos, int m) {
    int side = pos->side;
    int origin = pos->moves[m].origin;
    if (!pos->checks || origin == game->size || !game->royal[pos->board[origin]]) {
        return 0;
    }
    for (int j = 0, end_j = pos->counts[1 - side]; j < end_j; j++) {
        int s = pos->lists[(1 - side) * game->size + j];
        int taken = 0;
        for (int x = 0, end_x = captures(game, pos, m); x < end_x; x++) {
            if (captured(game, pos, m, x) == s) {
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
static int is_answered(const Tables *game, Position *pos, int square) {
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
static int is_retaken(const Tables *game, Position *pos, int m, int guard) {
    int piece = guard < game->size ? pos->board[guard] : 0;
    int target = pos->moves[m].target;
    int32_t noted[4];
    show_trail(game, pos, VACANT);
    make(game, pos, m);
    // What has exploded or was burnt is taken by nobody.
    int stands = pos->board[target] != 0;
    int found = stands && is_answered(game, pos, target);
    if (stands && !found && piece && !pos->board[guard]) {
        change(game, pos, guard, piece, noted);
        found = attacks_square(game, pos, guard, target);
        undo_change(game, pos, noted);
    }
    unmake(game, pos, m);
    show_trail(game, pos, PASSED);
    return found;
}

/* Whether a move captures on a square what would be captured in turn there, and nothing more than
   minor pieces besides. */
static int is_exchange(const Tables *game, Position *pos, int m, int square) {
    int guard = game->size;
    for (int x = 0, end_x = captures(game, pos, m); x < end_x; x++) {
        int q = captured(game, pos, m, x);
        if (q < game->size && q != square && pos->board[q]) {
            if (!is_among(game, RULE_NO_EXCHANGE_MINOR, pos->board[q])) {
                return 0;
            }
            guard = q;
        }
    }
    int origin = pos->moves[m].origin;
    int files = game->file_of[square] - game->file_of[origin];
    int ranks = square / game->files - origin / game->files;
    return distance(files, ranks) > 1 && is_retaken(game, pos, m, guard);
}

/* Whether a move exchanges pieces that may not be exchanged.

   Such a piece takes another one only next to it, or unguarded, or with more than minor pieces
   besides. Where another piece has just taken one, only such a piece takes one elsewhere. */
static int exchanges(const Tables *game, Position *pos, int m) {
    int prized = is_among(game, RULE_NO_EXCHANGE, pos->board[pos->moves[m].origin]);
    if (!prized && !pos->exchanged) {
        return 0;
    }
    for (int x = 0, end_x = captures(game, pos, m); x < end_x; x++) {
        int q = captured(game, pos, m, x);
        if (q < game->size && pos->board[q] && is_among(game, RULE_NO_EXCHANGE, pos->board[q]) &&
            (prized ? is_exchange(game, pos, m, q) : q != pos->exchanged - 1)) {
            return 1;
        }
    }
    return 0;
}

/* Whether a piece that captures nothing protected would be captured in turn where it captures.

   What protects is not asked whether it may capture in turn. */
static int captures_protected(const Tables *game, Position *pos, int m) {
    if (!is_among(game, RULE_CAPTURES_UNPROTECTED, pos->board[pos->moves[m].origin])) {
        return 0;
    }
    for (int x = 0, end_x = captures(game, pos, m); x < end_x; x++) {
        int q = captured(game, pos, m, x);
        if (q < game->size && pos->board[q]) {
            return is_retaken(game, pos, m, game->size);
        }
    }
    return 0;
}

/* Whether a move that has been made gives check. */
static int gives_danger(const Tables *game, Position *pos, int m) {
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
    {RULE_FLIGHT, FLIGHT_BARRED, FLIGHT, BEFORE, flees},
    {RULE_GIVING_CHECK, GIVING_CHECK_BARRED, GIVING_CHECK, MADE, gives_danger},
    {RULE_NO_EXCHANGE, GIVEN_PIECES, EXCHANGE, BEFORE, exchanges},
    {RULE_CAPTURES_UNPROTECTED, GIVEN_PIECES, PROTECTED, BEFORE, captures_protected},
};

/* Whether a game has a law that is asked then. */
static int holds_law(const Tables *game, const struct Law *law, int made) {
    int value = game->rules[law->rule];
    return law->made == made && (law->value == GIVEN_PIECES ? value != 0 : value == law->value);
}

static int has_law(const Tables *game, int made) {
    int found = 0;
    for (size_t n = 0; n < sizeof LAWS / sizeof *LAWS; n++) {
        found |= holds_law(game, LAWS + n, made);
    }
    return found;
}

/* Why a move of the list is not legal by one of these rules. */
static int law_broken(const Tables *game, Position *pos, int m, int made) {
    for (size_t n = 0; n < sizeof LAWS / sizeof *LAWS; n++) {
        const struct Law *law = LAWS + n;
        if (holds_law(game, law, made) && law->breaks(game, pos, m)) {
            return law->reason;
        }
    }
    return LEGAL;
}

/* `judged` where rules ask what stands after a move. */
static int illegality_once_made(const Tables *game, Position *pos, int m) {
    int side = pos->side;
    int faced = pos->faced;
    int passing = is_pass(game, pos, m);
    int before = law_broken(game, pos, m, BEFORE);
    int taking = touches_royals(game, pos, m);
    int mine = taking ? royals_of(game, pos, side, LAST) : 0;
    int theirs = taking ? royals_of(game, pos, 1 - side, LAST) : 0;
    show_trail(game, pos, VACANT);
    make(game, pos, m);
    int won = taking && has_lost_royals(game, pos, m, 1 - side, theirs);
    int lost = taking && has_lost_royals(game, pos, m, side, mine) && !game->lenient;
    int reason = LEGAL;
    if (lost) {
        reason = won && !game->effects ? LEGAL : ROYAL_TAKEN;
    } else if (!won && !(faced && passing)) {
        reason = faced && facing(game, pos) ? FACING : before;
        if (!reason) {
            reason = law_broken(game, pos, m, MADE);
        }
        if (!reason && !game->lenient) {
            show_trail(game, pos, PASSED);
            reason = is_in_check(game, pos, side) ? SELF_CHECK : LEGAL;
            show_trail(game, pos, VACANT);
        }
    }
    unmake(game, pos, m);
    show_trail(game, pos, PASSED);
    return reason;
}

/* Whether moves change nothing but what goes, what is captured, what explodes and where they build, and
   depend on nothing but whether royals could be captured then. A duck goes, too, from where it was. */
static int is_settled_by_marks(const Tables *game, const Position *pos) {
    return !(has_law(game, BEFORE) || has_law(game, MADE) || pos->faced || game->ranges || game->turning ||
             game->walling == DUCK || game->gating);
}

/* Whether a move of the list, no drop, changes anything on which the safety of a royal depends.

   What goes to a square, or is built there, may only shield a royal, but where a path goes on over it. */
static int affects_royals(const Tables *game, Position *pos, int m) {
    int target = pos->moves[m].target;
    int extra = pos->moves[m].flags >> EXTRA;
    if (game->royal[pos->moves[m].becomes] || pos->moves[m].partner ||
        (game->hopping && trail_of(game, pos, pos->moves[m].node))) {
        return 1;
    }
    int capturing = 0;
    for (int x = 0, end_x = captures(game, pos, m); x < end_x; x++) {
        int square = captured(game, pos, m, x);
        if (square < game->size && pos->board[square]) {
            capturing = 1;
            if ((square != target || game->effects) && is_marked(pos, square)) {
                return 1;
            }
        }
    }
    if (capturing && game->exploding) {
        int around = game->around[target];
        for (int x = 0; x < game->pool[around]; x++) {
            if (is_marked(pos, game->pool[around + 1 + x])) {
                return 1;
            }
        }
    }
    return is_opening(pos, target) || (game->walling && extra && is_opening(pos, extra - 1));
}

/* Why a move of the list, no drop, is not legal, whatever royals there are.

   It captures nothing that it may not. */
static int judged(const Tables *game, Position *pos, int m, int mode) {
    int side = pos->side;
    if (pos->fault) {
        return pos->fault;
    }
    int lawful = !has_law(game, BEFORE) && !has_law(game, MADE);
    if (game->lenient && lawful && !pos->faced) {
        return LEGAL;
    }
    if (mode == TOUCHING && is_settled_by_marks(game, pos) && !affects_royals(game, pos, m)) {
        return LEGAL;
    }
    if (game->effects || has_law(game, MADE) || pos->faced) {
        return illegality_once_made(game, pos, m);
    }
    if (captures_lose_royals(game, pos, m, 1 - side)) {
        return LEGAL;
    }
    int reason = lawful ? LEGAL : law_broken(game, pos, m, BEFORE);
    if (reason) {
        return reason;
    }
    if (game->lenient) {
        return LEGAL;
    }
    if (captures_lose_royals(game, pos, m, side)) {
        return ROYAL_TAKEN;
    }
    return (mode == TRIED || affects_royals(game, pos, m)) && !tried(game, pos, m) ? SELF_CHECK : LEGAL;
}

/* Keep the move written at a place if it is legal, or if reasons are asked for; the place after. */
static int keep_if_legal(Position *pos, int at, int reason) {
    if (!pos->reasons) {
        return reason ? at : behind(pos, at);
    }
    pos->reasons[at] = reason;
    return behind(pos, at);
}

/* Note the squares to which some nodes go without a capture. */
static void arrows(const Tables *game, Position *pos, int i, int end) {
    while (i < end) {
        uint64_t w = word_at(game, pos, i);
        int q = (int)(w & SQUARE);
        uint64_t t = w >> pos->shift[q];
        int free = !pos->board[q] && (pos->shift[q] == VACANT || pos->shift[q] == PASSED);
        if (t & FORMS && !takings(game, pos, i)[0] && free) {
            pos->spots[q] = 1;
        }
        i = next_node(i, w, t);
    }
}

/* Note the squares to which a piece on a square could castle by one part. */
static void castling_arrows(const Tables *game, Position *pos, int s, const Part *part) {
    Castling way = {part->from, 0, 0, 0};
    while (next_castling(game, pos, s, part, &way)) {
        if (!pos->board[way.square]) {
            pos->spots[way.square] = 1;
        }
    }
}

/* Note the squares on which the piece that has moved to one may build, whatever the region. */
static void note_walls(const Tables *game, Position *pos, int s) {
    if (game->walling != ARROW) {
        for (int q = 0; q < game->size; q++) {
            pos->spots[q] = !pos->board[q];
        }
        return;
    }
    if ((!is_of(game, pos, s, 0) && !is_of(game, pos, s, 1)) || is_frozen(game, pos, s)) {
        // What has perished, or turned to stone, shoots no more.
        return;
    }
    veil(game, pos, pos->board[s], s);
    Run run = first_run(game, pos, s);
    arrows(game, pos, run.at, run.end);
    while (next_run(game, pos, s, &run)) {
        if (run.part->steps) {
            castling_arrows(game, pos, s, run.part);
        } else {
            arrows(game, pos, run.at, run.end);
        }
    }
    release_run(pos, &run);
    veil(game, pos, 0, s);
    for (int file = 0; file < game->files; file++) {
        int partner = partner_on(game, pos, s, file);
        int q = partner ? castled(s, partner) : s;
        if (!pos->board[q]) {
            pos->spots[q] = 1;
        }
    }
}

/* List a move, written at a place, with every wall that it may build; the place after. */
static int with_walls(const Tables *game, Position *pos, int at, int mode) {
    int size = game->size;
    const int32_t *allowed_on = game->may_wall + pos->side * size;
    int first = at;
    int flags = pos->moves[at].flags;
    int shown = pos->moves[at].origin != size;
    if (shown) {
        show_trail(game, pos, VACANT);
    }
    make(game, pos, at);
    note_walls(game, pos, pos->moves[at].target);
    unmake(game, pos, at);
    if (shown) {
        show_trail(game, pos, PASSED);
    }
    for (int q = 0; q < size; q++) {
        if (pos->spots[q]) {
            pos->spots[q] = 0;
            if (allowed_on[q] && at < pos->last_listed && !pos->stopped) {
                pos->moves[at].flags = flags | ((q + 1) << EXTRA);
                copy_move(pos, at, at + 1);
                at = keep_if_legal(pos, at, shown ? judged(game, pos, at, mode) : pos->fault);
            }
        }
    }
    return at > first ? at : keep_if_legal(pos, at, NO_WALL);
}

/* Whether a move ends on a square, or its castling partner goes there. */
static int lands_on(const Tables *game, Position *pos, int m, int q) {
    const Move *move = pos->moves + m;
    int partner = move->partner;
    return takes_up(game, move->becomes, move->target, q) ||
           (partner != 0 && ((partner - 1) & SQUARE) == q);
}

/* Whether a piece from the hand has space on a square that a move leaves. */
static int may_be_left(const Tables *game, Position *pos, int m, int piece, int q) {
    const int32_t *body = body_of(game, piece);
    int origin = pos->moves[m].origin;
    for (int x = 0; x < body[0]; x++) {
        int at = q + body[1 + x];
        int goes = at == q || (is_large(game, pos->board[at]) && pos->anchor[at] == origin);
        if (lands_on(game, pos, m, at) || (pos->board[at] && !goes)) {
            return 0;
        }
    }
    return 1;
}

/* Whether a move leaves squares, and its side may build on all of them. */
static int leaves_walls(const Tables *game, Position *pos, int m) {
    const int32_t *may_wall = game->may_wall + pos->side * game->size;
    int origin = pos->moves[m].origin;
    const int32_t *body = body_of(game, pos->board[origin]);
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
static int with_gates(const Tables *game, Position *pos, int at, int mode) {
    int side = pos->side;
    int q = pos->moves[at].origin;
    int partner = pos->moves[at].partner;
    int flags = pos->moves[at].flags;
    // What is left behind ends no check, nor does it shield a pin.
    int bare = judged(game, pos, at, mode);
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
                there = there && may_be_left(game, pos, at, p, q);
                if (pos->hands[side * game->kinds + kind] && there) {
                    pos->moves[at].flags = flags | CHANGING | ((2 * (kind + 1) + n) << EXTRA);
                    copy_move(pos, at, at + 1);
                    int reason = judged(game, pos, at, mode);
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
    if (game->iron && captures_barred(game, pos, at)) {
        // Nor is it made to see what it would change: a wall is on no list that it could leave.
        return at;
    }
    if (is_pass(game, pos, at)) {
        return keep_if_legal(pos, at, judged(game, pos, at, mode));
    }
    if (game->effects) {
        pos->moves[at].flags = pos->moves[at].flags | CHANGING;
    }
    if (game->gating) {
        return with_gates(game, pos, at, mode);
    }
    if (game->walling && game->walling != LEFT) {
        return with_walls(game, pos, at, mode);
    }
    if (game->walling && !leaves_walls(game, pos, at)) {
        // Walls are to be built where the piece stood.
        return keep_if_legal(pos, at, NO_WALL);
    }
    return keep_if_legal(pos, at, judged(game, pos, at, mode));
}
