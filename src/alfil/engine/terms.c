/* The terms of a position: what the evaluation counts beyond pieces and squares.

   They are numbers, positive for the first side. Their weights are learned for each game
   (src/alfil/workbench/learn_square_values.py); src/alfil/play/evaluation_terms.py has the names of their rows. */

/* The offsets of the terms of a kind: mobility, as the number of squares that no cheaper piece guards; attacked
   squares next to the enemy royal; distances from both royals; how many there are, on the board and in hand;
   of a kind that promotes: isolated, doubled, joined (beside or behind another) and blocked; of a passed piece:
   its rank, the distances of both royals from its stop square, and what is there; squares of safe checks, by
   a move and by a drop; and attacked kinds, unguarded or guarded. */
enum {
    MOVES_TERM = 0,
    ZONE_TERM = 32,
    OWN_ROYAL_TERM = 36,
    OTHER_ROYAL_TERM = 44,
    COUNT_TERM = 52,
    HELD_TERM = 60,
    ISOLATED_TERM = 68,
    DOUBLED_TERM = 69,
    JOINED_TERM = 70,
    BLOCKED_TERM = 71,
    PASSED_TERM = 72,
    PASSED_OWN_ROYAL_TERM = 88,
    PASSED_OTHER_ROYAL_TERM = 136,
    PASSED_STOP_TERM = 184,
    CHECKS_TERM = 208,
    DROP_CHECKS_TERM = 212,
    ATTACK_TERM = 216,
};
/* Passed pieces are told apart by up to this many ranks to go, and by this many distances of a royal. */
enum { RANKS_TO_GO = 6, DISTANCES = 8 };
/* The stop square of a passed piece: occupied by the enemy, attacked and unguarded, attacked and guarded, or
   not attacked. */
enum { STOP_HELD, STOP_LOST, STOP_GUARDED, STOP_FREE, STOPS };
/* After the terms of all kinds, those of a royal: attackers of its zone; weak squares of the zone, attacked and
   guarded by the royal alone, by how many pieces the enemy has in hand; both; and safe checks, by attackers. */
enum { ATTACKERS = 8, WEAK = 8, HELD_LEVELS = 4, CHECKS = 8 };
/* Guards are counted by side and square; a royal counts this much. */
enum { ROYAL_GUARD = 64 };
/* A piece is cheaper than another if its value is less than three quarters; no guard has this value. */
enum { CHEAPER = 3, OF = 4, NO_GUARD = 100000000 };
/* An attack is noted as 4 times its square, whether the piece may move there, and whether it guards it. */
enum { MAY_GO = 1, GUARDED = 2 };

/* The lesser of a number and a limit. */
static int at_most(int number, int limit) {
    return number < limit ? number : limit;
}

/* List a term of a side. */
static void add_term(Search *search, int side, int term) {
    if (search->terms_listed < search->terms_room) {
        search->listed[search->terms_listed++] = side ? -1 - term : 1 + term;
    }
}

/* The first royal of a side, -1 where it has none. */
static int first_royal(const Tables *game, const Position *pos, int side) {
    if (!pos->careful) {
        return pos->royals[side];
    }
    for (int x = 0; x < pos->counts[side]; x++) {
        int s = pos->lists[side * game->size + x];
        if (game->royal[pos->board[s]]) {
            return s;
        }
    }
    return -1;
}

/* Whether a square is in the zone of a royal: its own square and those next to it; -1 is no royal. */
static int is_in_royal_zone(const Tables *game, int q, int royal) {
    int files = royal < 0 ? 2 : game->file_of[q] - game->file_of[royal];
    int far = q - royal;
    return files >= -1 && files <= 1 && far >= -game->files - 1 && far <= game->files + 1;
}

/* Note the attacks of a range of nodes; where the notes end. */
static int record_attacks_by_nodes(const Tables *game, Position *pos, Search *search, int side,
                                   int node, int end, int at) {
    while (node < end && at < search->reach_room) {
        uint64_t w = game->nodes[node];
        int q = (int)(w & SQUARE);
        uint64_t t = w >> pos->shift[q];
        int guards = w >> (side ? FIRST : SECOND) & FORMS ? GUARDED : 0;
        int goes = t & FORMS ? MAY_GO : 0;
        if (goes || guards) {
            search->reach[at++] = 4 * q + goes + guards;
        }
        node = next_node(node, w, t);
    }
    return at;
}

/* Note the attacks of a piece, preceded by their number. */
static int record_attacks_of_piece(const Tables *game, Position *pos, Search *search, int s,
                                   int at) {
    int piece = pos->board[s];
    int side = (piece - 1) & 1;
    int begun = at++;
    Run run = first_run(game, pos, s);
    at = record_attacks_by_nodes(game, pos, search, side, run.at, run.end, at);
    while (run.next < game->pool[run.cell->parts]) {
        const Part *part = (const Part *)(game->pool + run.cell->parts + 1) + run.next++;
        if (!part->roams && !part->steps && conditions_hold(game, pos, part, s)) {
            at = record_attacks_by_nodes(game, pos, search, side, part->from, part->until, at);
        }
    }
    search->reach[begun] = at - begun - 1;
    int worth = search->kind_worth[(piece - 1) >> 1];
    for (int x = begun + 1; x < at; x++) {
        int noted = search->reach[x];
        if (noted & GUARDED) {
            int place = side * game->size + (noted >> 2);
            search->guards[place] += game->royal[piece] ? ROYAL_GUARD : 1;
            search->cheapest[place] = at_most(worth, search->cheapest[place]);
        }
    }
    return at;
}

/* Note the attacks of all pieces, one after the other. */
static void record_all_attacks(const Tables *game, Position *pos, Search *search) {
    for (int x = 0; x < 2 * game->size; x++) {
        search->guards[x] = 0;
        search->cheapest[x] = NO_GUARD;
    }
    int at = 0;
    for (int side = 0; side < 2; side++) {
        for (int x = 0; x < pos->counts[side] && at < search->reach_room; x++) {
            at = record_attacks_of_piece(game, pos, search, pos->lists[side * game->size + x], at);
        }
    }
    search->reached_end = at;
}

/* Whether a piece on a square would give a safe check: the square has no enemy guard, or none but the royal
   while another piece of the side supports it. */
static int is_safe_check(const Tables *game, Position *pos, const Search *search, int piece, int q,
                         int royal, int guards_needed) {
    if (royal < 0 || q == royal || !may_ever_attack(game, piece, q, royal)) {
        return 0;
    }
    int side = (piece - 1) & 1;
    int guards = search->guards[(1 - side) * game->size + q];
    if (guards &&
        (guards != ROYAL_GUARD || search->guards[side * game->size + q] < guards_needed)) {
        return 0;
    }
    int a = attack_branches_of(game, piece, q, royal);
    return a && attacks_by_branches(game, pos, a, q, royal);
}

/* List the safe checks by drops of a side; how many there are. */
static int list_drop_check_terms(const Tables *game, Position *pos, Search *search, int side,
                                 int royal) {
    int total = 0;
    for (int kind = 0; kind < game->kinds && royal >= 0; kind++) {
        if (!pos->hands[side * game->kinds + kind]) {
            continue;
        }
        int checks = 0;
        for (int q = 0; q < game->size; q++) {
            checks += !pos->board[q] && is_safe_check(game, pos, search, 1 + 2 * kind + side, q, royal, 1);
        }
        if (checks) {
            add_term(search, side,
                     kind * search->kind_terms + DROP_CHECKS_TERM + at_most(checks, 4) - 1);
        }
        total += checks;
    }
    return total;
}

/* List mobility and attacks of a piece, whose squares are noted from `at` on; whether it attacks the zone of the
   enemy royal. Its safe checks are added to `all_checks`. */
static int list_activity_terms(const Tables *game, Position *pos, Search *search, int s, int at,
                               int royal, int *all_checks) {
    int piece = pos->board[s];
    int side = (piece - 1) & 1;
    int kind = (piece - 1) >> 1;
    int first = kind * search->kind_terms;
    const int32_t *guards = search->guards + (1 - side) * game->size;
    const int32_t *cheapest = search->cheapest + (1 - side) * game->size;
    int moves = 0;
    int near = 0;
    int checks = 0;
    for (int x = at + 1; x <= at + search->reach[at]; x++) {
        int noted = search->reach[x];
        int q = noted >> 2;
        int victim = noted & MAY_GO ? pos->board[q] : 0;
        moves += noted & MAY_GO && OF * cheapest[q] >= CHEAPER * search->kind_worth[kind];
        near += noted & GUARDED && is_in_royal_zone(game, q, royal);
        checks += noted & MAY_GO && is_safe_check(game, pos, search, piece, q, royal, 2);
        if (victim && victim < game->pieces && ((victim - 1) & 1) != side) {
            int term = ATTACK_TERM + 2 * ((victim - 1) >> 1) + (guards[q] != 0);
            add_term(search, side, first + term);
        }
    }
    add_term(search, side, first + MOVES_TERM + at_most(moves, 31));
    if (near) {
        add_term(search, side, first + ZONE_TERM + at_most(near, 3));
    }
    if (checks) {
        add_term(search, side, first + CHECKS_TERM + at_most(checks, 4) - 1);
    }
    *all_checks += checks;
    return near > 0;
}

/* Whether an enemy piece of the same kind is ahead on the same file or one next to it: the piece is not
   passed then. */
static int has_stopper_ahead(const Tables *game, const Position *pos, int s) {
    int side = (pos->board[s] - 1) & 1;
    int other = pos->board[s] + (side ? -1 : 1);
    for (int x = 0; x < pos->counts[1 - side]; x++) {
        int q = pos->lists[(1 - side) * game->size + x];
        int files = game->file_of[q] - game->file_of[s];
        // Ranks ahead times the number of files, as a division would be slow.
        int ranks = side ? s - q + files : q - s - files;
        if (pos->board[q] == other && ranks > 0 && files >= -1 && files <= 1) {
            return 1;
        }
    }
    return 0;
}

/* Whether the square at an offset has the same piece. */
static int is_same_piece_at(const Tables *game, const Position *pos, int s, int files, int ranks) {
    int file = game->file_of[s] + files;
    int q = s + ranks * game->files + files;
    return file >= 0 && file < game->files && q >= 0 && q < game->size && pos->board[q] == pos->board[s];
}

/* The state of the stop square of a side's passed piece. */
static int stop_square_state(const Tables *game, const Position *pos, const Search *search,
                             int side, int q) {
    int piece = pos->board[q];
    if (piece) {
        return piece < game->pieces && ((piece - 1) & 1) != side ? STOP_HELD : STOP_FREE;
    }
    if (!search->guards[(1 - side) * game->size + q]) {
        return STOP_FREE;
    }
    return search->guards[side * game->size + q] ? STOP_GUARDED : STOP_LOST;
}

/* List the terms of a passed piece: its rank, its stop square, and the royals' distances from that. */
static void list_passed_terms(const Tables *game, const Position *pos, Search *search, int s,
                              int side, const int *royals, int first) {
    int rank = (side ? game->size - 1 - s : s) / game->files;
    int q = s + (side ? -game->files : game->files);
    add_term(search, side, first + PASSED_TERM + at_most(rank, 15));
    if (q < 0 || q >= game->size) {
        return;
    }
    int left = at_most(game->size / game->files - 1 - rank, RANKS_TO_GO) - 1;
    for (int which = 0; which < 2; which++) {
        int royal = royals[side ^ which];
        if (royal >= 0) {
            int ranks = q / game->files - search->royal_ranks[side ^ which];
            int far = at_most(king_distance(game->file_of[q] - game->file_of[royal], ranks),
                              DISTANCES - 1);
            int term = which ? PASSED_OTHER_ROYAL_TERM : PASSED_OWN_ROYAL_TERM;
            add_term(search, side, first + term + left * DISTANCES + far);
        }
    }
    add_term(search, side,
             first + PASSED_STOP_TERM + STOPS * left +
                 stop_square_state(game, pos, search, side, q));
}

/* List the pawn structure terms of a piece that promotes, and those of a passed one. */
static void list_structure_terms(const Tables *game, const Position *pos, Search *search, int s,
                                 const int *royals, int first) {
    int piece = pos->board[s];
    int side = (piece - 1) & 1;
    const int32_t *on_file = pos->on_file + piece * game->files;
    int file = game->file_of[s];
    int ahead_by = side ? -1 : 1;
    int q = s + ahead_by * game->files;
    if (!(file && on_file[file - 1]) && !(file + 1 < game->files && on_file[file + 1])) {
        add_term(search, side, first + ISOLATED_TERM);
    }
    if (on_file[file] > 1) {
        add_term(search, side, first + DOUBLED_TERM);
    }
    if (is_same_piece_at(game, pos, s, 1, 0) || is_same_piece_at(game, pos, s, -1, 0) ||
        is_same_piece_at(game, pos, s, 1, -ahead_by) ||
        is_same_piece_at(game, pos, s, -1, -ahead_by)) {
        add_term(search, side, first + JOINED_TERM);
    }
    if (q >= 0 && q < game->size && pos->board[q]) {
        add_term(search, side, first + BLOCKED_TERM);
    }
    if (!has_stopper_ahead(game, pos, s)) {
        list_passed_terms(game, pos, search, s, side, royals, first);
    }
}

/* List the safety terms of a side's royal. */
static void list_royal_safety_terms(const Tables *game, const Position *pos, Search *search,
                                    int side, int royal, int attackers, int checks) {
    int weak = 0;
    const int32_t *own = search->guards + side * game->size;
    const int32_t *other = search->guards + (1 - side) * game->size;
    for (int ranks = -1; ranks <= 1; ranks++) {
        for (int files = -1; files <= 1; files++) {
            int q = royal + ranks * game->files + files;
            int file = game->file_of[royal] + files;
            if (q >= 0 && q < game->size && file >= 0 && file < game->files) {
                weak += other[q] && !(own[q] % ROYAL_GUARD);
            }
        }
    }
    int held = 0;
    for (int kind = 0; kind < game->kinds; kind++) {
        held += pos->hands[(1 - side) * game->kinds + kind];
    }
    int first = game->kinds * search->kind_terms;
    int attacked = at_most(attackers, ATTACKERS - 1);
    int weakness = at_most(held, HELD_LEVELS - 1) * WEAK + at_most(weak, WEAK - 1);
    add_term(search, side, first + attacked);
    add_term(search, side, first + ATTACKERS + weakness);
    first += ATTACKERS + HELD_LEVELS * WEAK;
    add_term(search, side, first + weakness * ATTACKERS + attacked);
    first += HELD_LEVELS * WEAK * ATTACKERS;
    add_term(search, side, first + at_most(checks, CHECKS - 1) * ATTACKERS + attacked);
}

/* List the counts of a side's kinds, on the board and in hand. */
static void list_count_terms(const Tables *game, const Position *pos, Search *search, int side) {
    int first = 0;
    for (int kind = 0; kind < game->kinds; kind++) {
        const int32_t *on_file = pos->on_file + (1 + 2 * kind + side) * game->files;
        int held = pos->hands[side * game->kinds + kind];
        int count = 0;
        for (int file = 0; file < game->files; file++) {
            count += on_file[file];
        }
        if (count) {
            add_term(search, side, first + COUNT_TERM + at_most(count, 8) - 1);
        }
        if (held) {
            add_term(search, side, first + HELD_TERM + at_most(held, 8) - 1);
        }
        first += search->kind_terms;
    }
}

/* List the distances of a piece from the first royals of both sides; -1 is no royal. */
static void list_distance_terms(const Tables *game, Search *search, int side, int s,
                                const int *royals, int first) {
    int rank = s / game->files;
    for (int which = 0; which < 2; which++) {
        int royal = royals[side ^ which];
        if (royal >= 0 && royal != s) {
            int files = game->file_of[s] - game->file_of[royal];
            int far = king_distance(files, rank - search->royal_ranks[side ^ which]);
            int term = which ? OTHER_ROYAL_TERM : OWN_ROYAL_TERM;
            add_term(search, side, first + term + at_most(far, 8) - 1);
        }
    }
}

/* List the terms of a position. */
static void list_terms(const Tables *game, Position *pos, Search *search) {
    search->terms_listed = 0;
    record_all_attacks(game, pos, search);
    int at = 0;
    int royals[2] = {first_royal(game, pos, 0), first_royal(game, pos, 1)};
    search->royal_ranks[0] = royals[0] / game->files;
    search->royal_ranks[1] = royals[1] / game->files;
    for (int side = 0; side < 2; side++) {
        int attackers = 0;
        int checks = list_drop_check_terms(game, pos, search, side, royals[1 - side]);
        for (int x = 0; x < pos->counts[side] && at < search->reached_end; x++) {
            int s = pos->lists[side * game->size + x];
            int kind = (pos->board[s] - 1) >> 1;
            int first = kind * search->kind_terms;
            attackers += list_activity_terms(game, pos, search, s, at, royals[1 - side], &checks);
            at += 1 + search->reach[at];
            list_distance_terms(game, search, side, s, royals, first);
            if (search->advancing[kind]) {
                list_structure_terms(game, pos, search, s, royals, first);
            }
        }
        list_count_terms(game, pos, search, side);
        if (royals[1 - side] >= 0) {
            list_royal_safety_terms(game, pos, search, 1 - side, royals[1 - side], attackers,
                                    checks);
        }
    }
}

/* The weighted sum of the terms for the mover. */
static TaperedValue weigh_terms(const Tables *game, Position *pos, Search *search) {
    list_terms(game, pos, search);
    TaperedValue total = {0, 0};
    for (int x = 0; x < search->terms_listed; x++) {
        int term = search->listed[x];
        int own = term > 0;
        total = add_times(total, search->weights[own ? term - 1 : -1 - term], own ? 1 : -1);
    }
    return pos->side ? negate(total) : total;
}
