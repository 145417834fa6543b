/* Royals open to capture, and the squares on which that depends. */

/* Whether a piece on a square could capture a royal, by one of these branches. */
static int attacks_by_branches(const Tables *game, Position *pos, int aims, int origin, int royal) {
    for (int b = 0; b < game->pool[aims]; b++) {
        int i = game->pool[aims + 1 + 2 * b];
        int end = game->pool[aims + 2 + 2 * b];
        pos->work += end - i;
        while (i < end) {
            uint64_t w = game->nodes[i];
            int q = (int)(w & SQUARE);
            uint64_t t = w >> pos->shift[q];
            if (t & FORMS && (q == royal || captures_en_route_on(game, pos, i, royal))) {
                if (!game->limited ||
                    count_types_with_room(game, pos, game->taking[i], i, origin, q)) {
                    return 1;
                }
            }
            i = next_node(i, w, t);
        }
    }
    return 0;
}

/* Whether an enemy could capture on a royal's square; `which_enemies` tells which ones to look at.

   0 for all of them, 1 for those that aim at the royal where it stands, 2 at squares beside it. */
static int is_attacked(const Tables *game, Position *pos, int royal, int enemy, int which_enemies) {
    int size = game->size;
    int32_t *base = pos->lists + enemy * size;
    int count = pos->counts[enemy];
    if (which_enemies == 1) {
        base = pos->near;
        count = pos->nears;
    } else if (which_enemies == 2) {
        base = pos->beside;
        count = pos->besides;
    }
    for (int j = 0; j < count; j++) {
        int s = base[j];
        int p = pos->board[s];
        if (p && ((p - 1) & 1) == enemy) {
            int a = may_ever_attack(game, p, s, royal) ? attack_branches_of(game, p, s, royal) : 0;
            if (a && attacks_by_branches(game, pos, a, s, royal)) {
                return 1;
            }
        }
    }
    return 0;
}

/* Whether some nodes capture so that the other side loses; it has so many `LAST` royals. */
static int nodes_capture_royals(const Tables *game, Position *pos, int s, int node, int end,
                                int last_royals) {
    int size = game->size;
    int p = pos->board[s];
    pos->work += end - node;
    while (node < end) {
        uint64_t w = word_of_node(game, pos, node);
        int q = (int)(w & SQUARE);
        uint64_t t = w >> pos->shift[q];
        if (t & FORMS && !(game->en_route && captures_en_passant_twice(game, pos, node, s, q))) {
            const int32_t *c = captures_en_route(game, pos, node);
            int count =
                has_large_pieces(game) ? list_captured_by_node(game, pos, s, node, q) : 1 + c[0];
            int lost = 0;
            int taken = 0;
            int iron = 0;
            for (int x = 0; x < count; x++) {
                int square = q;
                if (has_large_pieces(game)) {
                    square = pos->prey[x];
                } else if (x) {
                    square = nth_square_of_captures(game, pos, c, x - 1);
                } else if (is_en_passant_capture(game, pos, node, q)) {
                    square = pos->victim;
                } else if (q == s) {
                    square = size;
                }
                int piece = 0;
                if (square < size) {
                    piece = pos->board[square];
                }
                if (piece) {
                    iron |= may_not_capture(game, p, piece);
                    if (((piece - 1) & 1) != ((p - 1) & 1)) {
                        if (game->royal[piece] == ANY) {
                            lost = 1;
                        }
                        if (game->royal[piece] == LAST) {
                            taken++;
                        }
                    }
                }
            }
            if (!iron && (lost || (taken && taken == last_royals))) {
                if (!game->limited ||
                    count_types_with_room(game, pos, piece_types_on_capture(game, pos, node), node,
                                          s, q)) {
                    if (!game->effects || !destroys_own_royal(game, pos, s, node, q)) {
                        return 1;
                    }
                }
            }
        }
        node = next_node(node, w, t);
    }
    return 0;
}

/* What is asked of some nodes of the piece on a square, with a number besides. */
typedef int RunCondition(const Tables *game, Position *pos, int s, int i, int end, int about);

/* Whether some nodes by which the piece on a square may capture, if it can move, are as asked. */
static inline int any_capturing_run(const Tables *game, Position *pos, int s,
                                    RunCondition *condition, int argument) {
    if (is_immobilised(game, pos, s)) {
        return 0;
    }
    view_board_as(game, pos, pos->board[s], s);
    Run run = first_run(game, pos, s);
    int found = condition(game, pos, s, run.at, run.end, argument);
    while (!found && next_run(game, pos, s, &run)) {
        found = !run.part->steps && condition(game, pos, s, run.at, run.end, argument);
    }
    release_run(pos, &run);
    view_board_as(game, pos, 0, s);
    return found;
}

/* Whether the piece on a square could capture so that the other side loses. */
static int is_checker(const Tables *game, Position *pos, int s) {
    int last = count_royals(game, pos, pos->board[s] & 1, LAST);
    return any_capturing_run(game, pos, s, nodes_capture_royals, last);
}

/* Whether some nodes of the piece on a square capture on another one, file limits aside. */
static int nodes_capture_on(const Tables *game, Position *pos, int s, int node, int end,
                            int target) {
    int p = pos->board[s];
    pos->work += end - node;
    while (node < end) {
        uint64_t w = word_of_node(game, pos, node);
        int q = (int)(w & SQUARE);
        uint64_t t = w >> pos->shift[q];
        int passing = is_en_passant_capture(game, pos, node, q) && pos->victim == target;
        if (has_large_pieces(game)) {
            int taken = t & FORMS && node_captures_piece(game, pos, s, node, q, target);
            if (taken && !(game->effects && destroys_own_royal(game, pos, s, node, q))) {
                return 1;
            }
        } else if (t & FORMS &&
                   (q == target || passing || captures_en_route_on(game, pos, node, target))) {
            int iron = q != s && pos->board[q] && may_not_capture(game, p, pos->board[q]);
            const int32_t *c = captures_en_route(game, pos, node);
            for (int x = 0; x < c[0]; x++) {
                iron = iron || may_not_capture(game, p,
                                               pos->board[nth_square_of_captures(game, pos, c, x)]);
            }
            iron = iron || (game->en_route && captures_en_passant_twice(game, pos, node, s, q));
            if (!iron && !(game->effects && destroys_own_royal(game, pos, s, node, q))) {
                return 1;
            }
        }
        node = next_node(node, w, t);
    }
    return 0;
}

/* Whether the piece on a square could capture on another one, file limits aside. */
static int attacks_square(const Tables *game, Position *pos, int s, int target) {
    return any_capturing_run(game, pos, s, nodes_capture_on, target);
}

/* Whether a side has several royals, and each could be captured. */
static int all_royals_attacked(const Tables *game, Position *pos, int side) {
    int royals = 0;
    for (int j = 0, end_j = pos->counts[side]; j < end_j; j++) {
        int k = pos->lists[side * game->size + j];
        if (game->royal[pos->board[k]]) {
            royals++;
            int x = 0;
            int found = 0;
            while (!found && x < pos->counts[1 - side]) {
                found = attacks_square(game, pos, pos->lists[(1 - side) * game->size + x], k);
                x++;
            }
            if (!found) {
                return 0;
            }
        }
    }
    return royals > 1;
}

/* Whether two squares are on one rank or file, with nothing between them. */
static int is_clear_line(const Tables *game, const Position *pos, int s, int other) {
    int step = 0;
    if (game->file_of[other] == game->file_of[s]) {
        step = game->files;
    } else if (other / game->files == s / game->files) {
        step = 1;
    }
    int far = s < other ? other : s;
    int q = (s < other ? s : other) + step;
    while (step && q < far && !pos->board[q]) {
        q += step;
    }
    return step && q == far;
}

/* Whether any squares of two pieces are. */
static int share_clear_line(const Tables *game, const Position *pos, int s, int other_square) {
    const int32_t *body = occupied_offsets(game, pos->board[s]);
    const int32_t *other = occupied_offsets(game, pos->board[other_square]);
    for (int x = 0; x < body[0]; x++) {
        for (int y = 0; y < other[0]; y++) {
            if (is_clear_line(game, pos, s + body[1 + x], other_square + other[1 + y])) {
                return 1;
            }
        }
    }
    return 0;
}

/* Whether royals of both sides face each other along an open rank or file. */
static int royals_face_each_other(const Tables *game, Position *pos) {
    for (int j = 0, end_j = pos->counts[0]; j < end_j; j++) {
        int s = pos->lists[j];
        pos->work += game->royal[pos->board[s]] ? pos->counts[1] : 0;
        for (int x = 0, end_x = game->royal[pos->board[s]] ? pos->counts[1] : 0; x < end_x; x++) {
            int k = pos->lists[game->size + x];
            if (game->royal[pos->board[k]] && share_clear_line(game, pos, s, k)) {
                return 1;
            }
        }
    }
    return 0;
}

/* Whether the piece on a square may capture a royal on another one, if rules of its game let it, and
   other pieces are in its way no more than in that of most. */
static inline int may_capture_royal(const Tables *game, Position *pos, int s, int royal) {
    int p = pos->board[s];
    if (has_large_pieces(game)) {
        return 1;
    }
    return may_ever_attack(game, p, s, royal) &&
           (attacks_by_branches(game, pos, attack_branches_of(game, p, s, royal), s, royal) ||
            (game->roaming && may_roam_to_royal(game, pos, s, royal)));
}

/* Whether some enemies of a side could capture its royals on some squares so that it loses. */
static int enemies_capture_royals(const Tables *game, Position *pos, int side,
                                  const int32_t *royals, int royal_count, const int32_t *enemies,
                                  int enemy_count) {
    for (int y = 0; y < royal_count; y++) {
        int k = royals[y];
        pos->work += game->royal[pos->board[k]] ? enemy_count : 0;
        for (int j = 0, end_j = game->royal[pos->board[k]] ? enemy_count : 0; j < end_j; j++) {
            int s = enemies[j];
            if (is_piece_of_side(game, pos, s, 1 - side) && may_capture_royal(game, pos, s, k) &&
                is_checker(game, pos, s)) {
                return 1;
            }
        }
    }
    return 0;
}

/* Whether the other side could capture so that a side loses; a trail is looked at if shown. */
static int is_in_check(const Tables *game, Position *pos, int side) {
    int size = game->size;
    if (!pos->careful) {
        return is_attacked(game, pos, pos->royals[side], 1 - side, 0);
    }
    if (game->duple && all_royals_attacked(game, pos, side)) {
        return 1;
    }
    const int32_t *enemies = pos->lists + (1 - side) * size;
    int count = pos->counts[1 - side];
    if (pos->trail && pos->side != side && game->royal[pos->board[pos->victim]]) {
        // What passes over a trail may take a royal that it does not look at.
        for (int j = 0; j < count; j++) {
            if (is_checker(game, pos, enemies[j])) {
                return 1;
            }
        }
    }
    return enemies_capture_royals(game, pos, side, pos->lists + side * size, pos->counts[side],
                                  enemies, count);
}

/* Whether a move leaves its side's one royal open; a drop comes from the number of squares.

   Castling and en passant are made in full by `is_safe_once_made`. */
static int exposes_royal(const Tables *game, Position *pos, int origin, int target, int becomes,
                         int node) {
    int pc = 0;
    int q = 0;
    int side = pos->side;
    int32_t *bd = pos->board;
    int files = game->files;
    int k = pos->royals[side];
    int near = 1;
    int c = origin < game->size ? game->taken[node] : 0;
    if (c && abort_without_undo_room(game, pos)) {
        return 1;
    }
    int pf = 0;
    if (origin < game->size) {
        pf = bd[origin];
        if (origin == k) {
            k = target;
            near = 2;
        }
        bd[origin] = 0;
        pos->shift[origin] = VACANT;
    }
    int32_t *base = pos->undo + pos->undone;
    int count = 0;
    if (c) {
        for (int x = 0; x < game->pool[c]; x++) {
            q = game->pool[c + 1 + x];
            pc = bd[q];
            base[x] = pc;
            count++;
            bd[q] = 0;
            pos->shift[q] = VACANT;
            pos->on_file[pc * files + game->file_of[q]]--;
        }
    }
    int pt = bd[target];
    uint8_t was = pos->shift[target];
    bd[target] = 0;
    pos->shift[target] = (uint8_t)game->shift[becomes];
    pos->on_file[pt * files + game->file_of[target]]--;
    int found = is_attacked(game, pos, k, 1 - side, near);
    pos->on_file[pt * files + game->file_of[target]]++;
    pos->shift[target] = was;
    bd[target] = pt;
    while (count) {
        count--;
        q = game->pool[c + 1 + count];
        pc = base[count];
        bd[q] = pc;
        pos->shift[q] = (uint8_t)game->shift[pc];
        pos->on_file[pc * files + game->file_of[q]]++;
    }
    if (origin < game->size) {
        bd[origin] = pf;
        pos->shift[origin] = (uint8_t)game->shift[pf];
    }
    return found;
}

/* Whether the path of a piece may go on by a node, or take a royal, once a piece of the mover's, or
   a wall, comes to stand on its square, and does not as that stands now; `shifted_word` is its
   word, shifted for that.

   What cannot pass or take some pieces is not told by its word alone. */
static int opens_path_if_occupied(const Tables *game, const Position *pos, int piece, int node,
                                  uint64_t shifted_word) {
    uint64_t w = game->nodes[node];
    uint64_t more =
        (w >> (pos->side ? SECOND : FIRST) | (game->walling ? w >> WALLED : 0)) & ~shifted_word;
    int told = !game->iron && !(game->veiling && has_special_view(game, piece));
    return !told || more & (game->taken[node] ? ON | FORMS : ON);
}

/* Mark what a piece looks at that aims at a royal; checks are counted, the last is noted. */
static void mark_attack_path(const Tables *game, Position *pos, int aims, int s, int royal) {
    int p = pos->board[s];
    mark_square(pos, s, 0);
    for (int b = 0; b < game->pool[aims]; b++) {
        int first = game->pool[aims + 1 + 2 * b];
        int end = game->pool[aims + 2 + 2 * b];
        int i = first;
        int hit = 0;
        while (i < end) {
            uint64_t w = game->nodes[i];
            int q = (int)(w & SQUARE);
            uint64_t t = w >> pos->shift[q];
            mark_square(pos, q, opens_path_if_occupied(game, pos, p, i, t));
            if (t & FORMS && (q == royal || captures_en_route_on(game, pos, i, royal))) {
                if (!game->limited || count_types_with_room(game, pos, game->taking[i], i, s, q)) {
                    hit = 1;
                }
            }
            i = next_node(i, w, t);
        }
        if (hit) {
            pos->checks++;
            pos->checker = s;
            pos->check_from = first;
            pos->check_until = end;
        }
    }
    if (game->crowds[p] && game->file_of[s] != game->file_of[royal]) {
        // Where one of those that fill a file is captured, this one may enter it.
        pos->hopped = 1;
        int32_t *base = pos->lists + ((p - 1) & 1) * game->size;
        for (int j = 0, end_j = pos->counts[(p - 1) & 1]; j < end_j; j++) {
            if (game->limit[pos->board[base[j]]]) {
                mark_square(pos, base[j], 1);
            }
        }
    }
}

/* Mark the mover's royals, and what their safety depends on; note them, and the enemies that aim at
   one. */
static void mark_royal_safety(const Tables *game, Position *pos) {
    const int32_t *own = pos->lists + pos->side * game->size;
    const int32_t *enemies = pos->lists + (1 - pos->side) * game->size;
    for (int j = 0, end_j = pos->counts[pos->side]; j < end_j; j++) {
        if (game->royal[pos->board[own[j]]]) {
            mark_square(pos, own[j], 1);
            pos->beside[pos->besides++] = own[j];
        }
    }
    for (int j = 0, end_j = pos->counts[1 - pos->side]; j < end_j; j++) {
        int s = enemies[j];
        int aimed = 0;
        for (int n = 0; n < pos->besides; n++) {
            int k = pos->beside[n];
            if (may_ever_attack(game, pos->board[s], s, k)) {
                mark_attack_path(game, pos, attack_branches_of(game, pos->board[s], s, k), s, k);
                aimed = 1;
            }
        }
        if (aimed) {
            pos->near[pos->nears++] = s;
        }
    }
}

/* `find_checks` where moves are judged one by one: marks for all royals, and whether one is open. */
static void find_checks_of_all_royals(const Tables *game, Position *pos) {
    int size = game->size;
    int side = pos->side;
    unmark_all(pos);
    reset_walk_counts(pos);
    pos->nears = 0;
    pos->besides = 0;
    pos->checks = 0;
    for (int q = 0, end_q = has_large_pieces(game) || (game->roaming && pos->trail) ? size : 0;
         q < end_q; q++) {
        // Bodies are in the way on several squares, and what roams may pass a trail in other ways.
        mark_square(pos, q, 1);
    }
    for (int j = 0, end_j = pos->counts[1 - side]; j < end_j; j++) {
        int s = pos->lists[(1 - side) * size + j];
        if (game->royal[pos->board[s]]) {
            mark_square(pos, s, 1);
        }
    }
    if (!has_large_pieces(game)) {
        mark_royal_safety(game, pos);
    }
    pos->faced = game->meeting && royals_face_each_other(game, pos);
    if (pos->checks || game->duple || game->roaming || game->blocked || has_large_pieces(game)) {
        pos->marking = game->roaming;
        pos->checks = is_in_check(game, pos, side);
        pos->marking = 0;
    }
    pos->hopped = 1;
}

/* Find what threatens the mover's royal, and mark the squares on which that depends.

   In check only those of one attack are marked: a move must change one of them to end it. */
static void find_checks(const Tables *game, Position *pos) {
    int size = game->size;
    int side = pos->side;
    pos->tries = pos->deep ? pos->tries : 0;
    if (pos->careful) {
        find_checks_of_all_royals(game, pos);
        return;
    }
    int k = pos->royals[side];
    int32_t *base = pos->lists + (1 - side) * size;
    int32_t *near = pos->near;
    int32_t *beside = pos->beside;
    unmark_all(pos);
    pos->checks = 0;
    pos->hopped = 0;
    for (int j = 0, end_j = pos->counts[1 - side]; j < end_j; j++) {
        int s = base[j];
        int p = pos->board[s];
        int z = attack_bits_of(game, p, s, k);
        if (z & BESIDE) {
            beside[0] = s;
            beside++;
        }
        if (z & AIMED) {
            near[0] = s;
            near++;
            if (game->hops[p]) {
                pos->hopped = 1;
            }
            mark_attack_path(game, pos, attack_branches_of(game, p, s, k), s, k);
        }
    }
    pos->nears = (int32_t)(near - pos->near);
    pos->besides = (int32_t)(beside - pos->beside);
    if (pos->checks) {
        unmark_all(pos);
        mark_square(pos, pos->checker, 0);
        int i = pos->check_from;
        while (i < pos->check_until) {
            uint64_t w = game->nodes[i];
            int q = (int)(w & SQUARE);
            mark_square(pos, q, 0);
            i = next_node(i, w, w >> pos->shift[q]);
        }
    }
}
