/* The search for the best move: alpha-beta with iterative deepening.

   Nothing here is about one game: piece values are in `Search`, which src/alfil/play/opponent.py
   lays out, and src/alfil/engine/results.c knows how games end. The root of the search is the
   current position of the game. */

/* Zugzwang is likely for a side with fewer moves than this, so it gets no null move. */
enum { MANY = 8 };
/* Listing this many moves that differ by their walls counts as visiting one position. */
enum { LISTED = 16 };
/* Margins, in hundredths of a move: of reverse futility pruning for each ply of depth, of futility
   pruning at depth 0 and for each ply of depth; how far the evaluation must exceed beta to reduce
   a null move by another ply; and what a capture may gain beyond the piece (delta pruning). */
enum {
    REVERSE_MARGIN = 210,
    FUTILITY_BASE = 235,
    FUTILITY_MARGIN = 170,
    NULL_MARGIN = 200,
    DELTA = 200,
};
/* How much a capture may lose by static exchange for each ply of depth, and a quiet move for the square of
   the depth, without being pruned. */
enum { CAPTURE_LOSS = 190, QUIET_LOSS = 30 };
/* Half the width of the first aspiration window, and of the widest one before it is opened fully. */
enum { ASPIRATION = 60, WIDEST = 4000 };
/* After a mate was found the search deepens by this many plies, to look for a shorter one. */
enum { HIDDEN = 2 };
/* Late move reductions, in 1024ths of a ply: a base, and a slope for the product of the logarithms of the
   depth and of the number of the move. */
enum { REDUCTION_BASE = 500, REDUCTION_SLOPE = 260 };
/* Quiescence searches check evasions and compulsory captures down to this depth; below it, recaptures
   only. */
enum { LAST_FORCED = -3 };
/* The first iteration may visit this many positions, even if fewer are allowed. */
enum { FIRST_LOOK = 1024 };
/* The numbers noted for each iteration: score and positions. */
enum { ITERATION = 2 };

/* A node of the search tree. */
typedef struct {
    int ply, depth, alpha, beta;
    int at, end;   /* its moves */
    int forced;    /* whether the mover is in check, or must capture in quiescence */
    int now;       /* the static evaluation, refined by the hash entry */
    int improving; /* whether the static evaluation is better than two plies ago */
    /* Whether the window is null and no mate is near, so that pruning by the evaluation is allowed. */
    int guess;
    int passing;   /* whether a null move may be tried */
    uint64_t word; /* its hash entry */
} Node;

static int alpha_beta(const Tables *game, Position *pos, Search *search, int at, int depth, int alpha,
                      int beta, int passing);
static int quiescence(const Tables *game, Position *pos, Search *search, int at, int depth, int alpha,
                      int beta);

/* Make a move, and update the lead in piece values. */
static void make_search_move(const Tables *game, Position *pos, Search *search, int m) {
    int ply = plies_from_root(pos);
    int changing = pos->moves[m].flags & CHANGING;
    TaperedValue before = search->ahead[ply];
    TaperedValue after =
        changing ? before : add_times(before, immediate_gain(game, pos, search, m), 1);
    int place = history_index_of(game, pos, m);
    make_line_move(game, pos, m);
    search->placed[ply + 1] = place;
    search->ahead[ply + 1] = changing ? piece_value_lead(game, pos, search) : negate(after);
}

/* The score of a result for the side to move; draws score 0. */
static int score_of_result(const Position *pos, int result) {
    int won = result & 3;
    // A repetition in the tree proves little: nobody has to repeat a position that loses.
    int score = result >> 2 < BY_REPETITION ? MATE - plies_from_root(pos) : SURE / 2;
    if (won == DRAW) {
        return 0;
    }
    return won == pos->side ? score : -score;
}

/* List `ALL` legal moves, unordered, or `ONLY_GAINS`; `find_checks` must have been called before. */
static int list_moves(const Tables *game, Position *pos, int at, int which) {
    set_en_passant_class(game, pos, PASSED);
    int32_t *first = pos->lists + pos->side * game->size;
    int start = at;
    for (int j = 0, end_j = count_movable_pieces(game, pos); j < end_j; j++) {
        int s = first[j];
        int mode = legality_mode_of(game, pos, s);
        at = list_moves_of_piece(game, pos, at, s, mode, which);
    }
    set_en_passant_class(game, pos, VACANT);
    if (which == ONLY_GAINS) {
        return game->take_first ? keep_only_captures(game, pos, start, at) : at;
    }
    int end = list_drops(game, pos, at);
    end = remove_mating_drops(game, pos, at, end);
    return apply_must_capture_and_pass(game, pos, start, end);
}

/* The result of the position whose moves are listed, 0 if the game continues.

   What `quick_result` could decide is not asked again. */
static int result_at_node(const Tables *game, Position *pos, int at, int end, int checked) {
    LegalMoves replies = {end - at, at, end};
    add_en_passant_to_key(game, pos, &replies);
    return game_result(game, pos, &replies, !checked && !pos->trail);
}

/* Whether there is no room for another list of moves, so that the line ends here. */
static int lacks_list_room(const Position *pos, const Search *search, int at) {
    return at > pos->last_listed - search->longest;
}

/* Whether capturing is compulsory, and the first move of a list is a capture. */
static int must_capture(const Tables *game, Position *pos, int at, int end) {
    return game->take_first && end > at && is_capture(game, pos, at);
}

/* Whether quiescence skips a move that wins too little to raise alpha. */
static int is_skipped_in_quiescence(const Tables *game, Position *pos, Search *search, int m,
                                    int depth, int least_gain) {
    if (depth < LAST_FORCED && pos->moves[m].target != pos->victim) {
        return 1;
    }
    return immediate_gain_with_effects(game, pos, search, m) < least_gain;
}

/* Search the moves of a quiescence node; the best score, at least the static evaluation (stand pat). */
static int search_quiescence_moves(const Tables *game, Position *pos, Search *search,
                                   const Node *node, uint64_t key) {
    int best = node->now;
    int alpha = node->alpha;
    uint64_t known = node->word >> 30;
    uint64_t last = 0;
    rate_moves(game, pos, search, node->at, node->end, known);
    for (int m = node->at; m < node->end && best < node->beta && !search->halt; m++) {
        alpha = best > alpha ? best : alpha;
        int least = node->forced ? -MATE : alpha - best - DELTA;
        int rating = pick_best_move(game, pos, search, m, node->end, least);
        if (rating < GOOD_CAPTURE / 2 && !node->forced) {
            // This move loses material or gains too little, and so do all after it.
            break;
        }
        uint64_t code = move_code(pos, m);
        // Moves that differ only by their walls are the same capture.
        int idle = pos->moves[m].flags >> EXTRA && code == last;
        last = code;
        if (idle ||
            (!node->forced && is_skipped_in_quiescence(game, pos, search, m, node->depth, least))) {
            continue;
        }
        make_search_move(game, pos, search, m);
        int found = quick_result(game, pos, node->end);
        int score =
            found ? -score_of_result(pos, found)
                  : -quiescence(game, pos, search, node->end, node->depth - 1, -node->beta, -alpha);
        unmake_line_move_at(game, pos, m);
        if (score > best) {
            best = score;
            known = score > alpha ? code : known;
        }
    }
    if (!search->halt && !node->forced) {
        store_entry(search, key, known, best, 0, bound_of(best, node->alpha, node->beta), node->ply);
    }
    return best;
}

/* Quiescence search: captures and check evasions until the position is quiet. */
static int quiescence(const Tables *game, Position *pos, Search *search, int at, int depth, int alpha,
                      int beta) {
    Node node = {
        .ply = plies_from_root(pos), .depth = depth, .alpha = alpha, .beta = beta, .at = at};
    uint64_t key = transposition_key(pos);
    search->visited++;
    if (search->visited > search->allowed && (search->reached || search->visited > FIRST_LOOK)) {
        search->halt = 1;
    }
    // At the root the caller wants the score without earlier results of the search.
    node.word = node.ply ? probe_table(search, key) : 0;
    int score = usable_entry_score(node.word, 0, alpha, beta, node.ply);
    if (beta - alpha == 1 && score != UNTOLD) {
        return score;
    }
    node.now = refine_evaluation(evaluate(game, pos, search, alpha, beta), node.word, node.ply);
    find_checks(game, pos);
    node.forced = pos->checks > 0;
    int far = node.ply >= LONGEST || lacks_list_room(pos, search, at);
    if (far || (node.forced && depth < LAST_FORCED) || search->halt) {
        return node.now;
    }
    if (!node.forced && node.now >= beta && !game->take_first) {
        return node.now;
    }
    node.end = list_moves(game, pos, at, node.forced ? ALL : ONLY_GAINS);
    if (node.forced) {
        int found = result_at_node(game, pos, at, node.end, 1);
        if (found) {
            return score_of_result(pos, found);
        }
    }
    node.forced |= depth >= LAST_FORCED && must_capture(game, pos, at, node.end);
    if (node.forced) {
        node.now = -MATE;
    }
    return search_quiescence_moves(game, pos, search, &node, key);
}

/* The score after a null move: the side to move passes, which few games allow. */
static int null_move_score(const Tables *game, Position *pos, Search *search, int at, int depth,
                           int beta) {
    Ply *made = pos->line + pos->past + 1;
    *made = made[-1];
    uint64_t before = turn_phase_key(game, pos);
    LapsedRights lapsed = pass_turn(pos);
    pos->past++;
    made->board =
        (made->board + (uint64_t)(2 * pos->side - 1) + turn_phase_key(game, pos) - before) & MASK;
    made->key = (made->board + made->rights) & MASK;
    made->check = made->fresh = 0;
    add_to_visits(pos, pos->past);
    int ply = plies_from_root(pos);
    search->ahead[ply] = negate(search->ahead[ply - 1]);
    search->placed[ply] = 0;
    int score = -alpha_beta(game, pos, search, at, depth, -beta, 1 - beta, 0);
    remove_from_visits(pos, pos->past);
    pos->past--;
    take_back_pass(pos, lapsed);
    return score;
}

/* Whether null move pruning may be tried: not where zugzwang is likely. */
static int may_try_null_move(const Tables *game, const Position *pos, const Node *node) {
    return node->passing && node->depth >= 2 && node->now >= node->beta && !game->take_first &&
           node->end - node->at > MANY && !game->turning && pos->past < pos->last_past;
}

/* The score of a node that can be pruned before its moves are searched, `UNTOLD` if it cannot. */
static int pruned_score(const Tables *game, Position *pos, Search *search, const Node *node) {
    int depth = node->depth;
    int surplus = node->now - node->beta;
    // Reverse futility: so large a lead is not lost within the depth that is left.
    if (depth <= 7 && surplus >= REVERSE_MARGIN * (depth - node->improving)) {
        return node->now;
    }
    if (may_try_null_move(game, pos, node)) {
        int more = surplus / NULL_MARGIN;
        int left = depth - 3 - depth / 4 - (more < 3 ? more : 3);
        int score = null_move_score(game, pos, search, node->end, left, node->beta);
        if (score >= node->beta && score < SURE && !search->halt) {
            return score;
        }
    }
    return UNTOLD;
}

/* Approximately 16 times the binary logarithm of a positive number. */
static int log2_times_16(int number) {
    int whole = 0;
    while (number >> (whole + 1)) {
        whole++;
    }
    return 16 * whole + ((16 * (number - (1 << whole))) >> whole);
}

/* By how many plies a late move is reduced. */
static int late_reduction(const Tables *game, Position *pos, Search *search, const Node *node, int m,
                          int count, int rating) {
    if (node->depth < 2 || count < 2 + !node->ply || rating > KILLER + 1) {
        return 0;
    }
    int less = REDUCTION_BASE +
               REDUCTION_SLOPE * log2_times_16(node->depth) * log2_times_16(count + 1) / 256;
    less += node->improving ? 0 : 512;
    less -= node->guess ? 0 : 1024;
    less -= node->forced ? 1024 : 0;
    if (rating >= KILLER) {
        less -= 1024;
    } else if (rating > LOSING / 2) {
        less -= history_score(game, pos, search, m) / 12;
    }
    return less < 0 ? 0 : less / 1024;
}

/* Whether a move is pruned: it comes late, gains too little, or loses too much by static exchange. */
static int may_prune_move(const Tables *game, Position *pos, Search *search, const Node *node,
                          int m, int count, int rating) {
    int depth = node->depth;
    if (rating <= LOSING / 2) {
        return rating - LOSING < -CAPTURE_LOSS * depth;
    }
    if (rating >= KILLER) {
        return 0;
    }
    int late = count > (3 + depth * depth) / (2 - node->improving);
    int left = depth - 1 - late_reduction(game, pos, search, node, m, count, rating);
    left = left < 0 ? 0 : left;
    int lacking = node->alpha - node->now;
    int futile = left < 6 && !node->forced && lacking >= FUTILITY_MARGIN * left + FUTILITY_BASE;
    if ((late || futile) && !gives_check(game, pos, m)) {
        return 1;
    }
    return exchange_value(game, pos, search, m, 0) < -QUIET_LOSS * left * left;
}

/* The score of the move just made, for the side that made it.

   Unless `reduction` is negative, a null window search reduced by it first asks whether the move
   beats `alpha` at all. */
static int search_after_move(const Tables *game, Position *pos, Search *search, int at, int depth,
                             int reduction, int alpha, int beta) {
    int found = quick_result(game, pos, at);
    if (found) {
        return -score_of_result(pos, found);
    }
    if (reduction >= 0) {
        int down = -alpha - 1;
        int left = depth - reduction;
        if (left < 1) {
            left = depth < 1 ? depth : 1;
        }
        int score = -alpha_beta(game, pos, search, at, left, down, -alpha, 1);
        if (left < depth && score > alpha) {
            score = -alpha_beta(game, pos, search, at, depth, down, -alpha, 1);
        }
        if (score <= alpha || score >= beta) {
            return score;
        }
    }
    return -alpha_beta(game, pos, search, at, depth, -beta, -alpha, 1);
}

/* Search a move of a node after `count` others; its score. */
static int search_move(const Tables *game, Position *pos, Search *search, const Node *node, int m,
                       int count, int rating, int alpha) {
    int extension = node->forced && search->extending && node->ply <= search->reached;
    int less = -1;
    if (count) {
        less = late_reduction(game, pos, search, node, m, count, rating);
        if (less && rating > LOSING / 2 && gives_check(game, pos, m)) {
            less--;
        }
    }
    make_search_move(game, pos, search, m);
    int score = search_after_move(game, pos, search, node->end, node->depth - 1 + extension, less,
                                  alpha, node->beta);
    unmake_line_move_at(game, pos, m);
    return score;
}

/* Search the moves of a node in order; the best score. */
static int search_moves(const Tables *game, Position *pos, Search *search, const Node *node,
                        uint64_t key) {
    int alpha = node->alpha;
    int best = -MATE;
    int count = 0;
    uint64_t known = node->word >> 30;
    rate_moves(game, pos, search, node->at, node->end, known);
    for (int m = node->at; m < node->end && best < node->beta; m++) {
        int rating = pick_best_move(game, pos, search, m, node->end, -MATE);
        if (node->ply && count && best > -SURE &&
            may_prune_move(game, pos, search, node, m, count, rating)) {
            search->rated[m] = PRUNED;
            continue;
        }
        if (!node->ply && !count && !search->reached) {
            // Until the first iteration ends, the best rated move is the answer.
            pos->moves[0] = pos->moves[m];
        }
        int score = search_move(game, pos, search, node, m, count, rating, alpha);
        if (search->halt) {
            return 0;
        }
        count++;
        best = score > best ? score : best;
        if (score > alpha) {
            alpha = score;
            known = move_code(pos, m);
            if (!node->ply) {
                pos->moves[0] = pos->moves[m];
            }
        }
        if (score >= node->beta && is_quiet_move(game, pos, m)) {
            remember_refutation(game, pos, search, node->at, m, node->depth);
        }
    }
    store_entry(search, key, known, best, node->depth, bound_of(best, node->alpha, node->beta),
                node->ply);
    return best;
}

/* Keep only the moves that the caller lets the search choose from; where they end. */
static int keep_root_moves(Position *pos, const Search *search, int at, int end) {
    int left = at;
    for (int m = at; m < end; m++) {
        uint64_t code = move_code(pos, m);
        int n = 0;
        while (n < search->roots && search->root_codes[n] != code) {
            n++;
        }
        if (n < search->roots) {
            pos->moves[left++] = pos->moves[m];
        }
    }
    return search->roots ? left : end;
}

/* List the moves of a node and evaluate it; its score if the game has ended, else `UNTOLD`. */
static int list_and_evaluate_node(const Tables *game, Position *pos, Search *search, Node *node) {
    find_checks(game, pos);
    node->end = list_moves(game, pos, node->at, ALL);
    node->end = node->ply ? node->end : keep_root_moves(pos, search, node->at, node->end);
    node->forced = pos->checks > 0;
    if (game->walling) {
        // There is a move for each wall, so listing them is the work.
        search->visited += (node->end - node->at) / LISTED;
    }
    int found = node->ply ? result_at_node(game, pos, node->at, node->end, node->forced) : 0;
    if (found) {
        return score_of_result(pos, found);
    }
    int now = evaluate(game, pos, search, node->alpha, node->beta);
    search->evals[node->ply] = now;
    node->improving = node->ply >= 2 && now > search->evals[node->ply - 2];
    node->now = refine_evaluation(now, node->word, node->ply);
    node->guess = node->beta - node->alpha == 1 && !node->forced && node->beta < SURE &&
                  node->alpha > -SURE;
    return UNTOLD;
}

/* The score of a position searched to a depth; `passing` says whether a null move may be tried. */
static int alpha_beta(const Tables *game, Position *pos, Search *search, int at, int depth, int alpha,
                      int beta, int passing) {
    int ply = plies_from_root(pos);
    if (depth <= 0 || ply >= LONGEST || lacks_list_room(pos, search, at)) {
        return quiescence(game, pos, search, at, 0, alpha, beta);
    }
    search->visited++;
    if (search->visited > search->allowed) {
        search->halt = 1;
    }
    if (search->halt) {
        return 0;
    }
    // Mate distance pruning: no score beats mating on this ply, and none is below being mated here.
    alpha = alpha < ply - MATE ? ply - MATE : alpha;
    beta = beta > MATE - ply - 1 ? MATE - ply - 1 : beta;
    if (alpha >= beta) {
        return alpha;
    }
    Node node = {.ply = ply, .depth = depth, .alpha = alpha, .beta = beta, .at = at, .passing = passing};
    uint64_t key = transposition_key(pos);
    node.word = probe_table(search, key);
    int score = usable_entry_score(node.word, depth, alpha, beta, ply);
    if (ply && beta - alpha == 1 && score != UNTOLD) {
        return score;
    }
    score = list_and_evaluate_node(game, pos, search, &node);
    if (score == UNTOLD && node.guess && ply) {
        score = pruned_score(game, pos, search, &node);
    }
    if (score != UNTOLD) {
        return score;
    }
    if (depth >= 4 && !(node.word >> 30)) {
        // Internal iterative reduction: the next iteration will have a hash move here.
        node.depth--;
    }
    return search_moves(game, pos, search, &node, key);
}

/* The score of the root at a depth, with an aspiration window that is widened until the score is inside. */
static int search_root(const Tables *game, Position *pos, Search *search, int depth) {
    int window = ASPIRATION;
    int known = depth >= 4 && search->score < SURE && search->score > -SURE;
    int alpha = known ? search->score - window : -MATE;
    int beta = known ? search->score + window : MATE;
    for (;;) {
        int score = alpha_beta(game, pos, search, 1, depth, alpha, beta, 0);
        int inside = (score > alpha || alpha == -MATE) && (score < beta || beta == MATE);
        if (search->halt || inside) {
            return score;
        }
        window *= 4;
        if (score <= alpha) {
            alpha = window < WIDEST ? score - window : -MATE;
        } else {
            beta = window < WIDEST ? score + window : MATE;
        }
    }
}

/* Note the result of an iteration; `reached` is published last, for readers in other threads. */
static void record_iteration(Position *pos, Search *search) {
    int at = search->reached;
    if (at < LONGEST) {
        int64_t *noted = search->iterations + ITERATION * at;
        noted[0] = search->score;
        noted[1] = search->visited;
        search->first_moves[at] = pos->moves[0];
    }
    __atomic_store_n(&search->reached, at + 1, __ATOMIC_RELEASE);
}

/* Find the best move by iterative deepening up to `depth`, and put it first in the list.

   The search ends when its positions are used up, or when `halt` is set. If that was before any move was
   searched, the origin of the first move is `NO_MOVE`. */
int64_t think(const Tables *game, Position *pos, Search *search, int depth) {
    pos->root = pos->past + 1;
    search->ahead[0] = piece_value_lead(game, pos, search);
    search->share = remaining_material(game, pos, search).share;
    find_checks(game, pos);
    pos->moves[0].origin = NO_MOVE;
    int end = keep_root_moves(pos, search, 1, list_moves(game, pos, 1, ALL));
    if (end == 1) {
        return 0;
    }
    pos->moves[0] = pos->moves[1];
    if (end == 2) {
        depth = 1;
    }
    while (search->reached < depth && !search->halt) {
        int score = search_root(game, pos, search, search->reached + 1);
        if (!search->halt) {
            search->score = score;
            record_iteration(pos, search);
            // A mate ends the search, but reductions may have hidden a shorter one.
            int mate = MATE - (score < 0 ? -score : score);
            if (mate + HIDDEN <= search->reached) {
                break;
            }
        }
    }
    return search->reached;
}

int64_t find_hash_move(const Tables *game, Position *pos, Search *search) {
    uint64_t known = probe_table(search, transposition_key(pos)) >> 30;
    int end = (int)generate_legal_moves(game, pos, 0);
    for (int m = 0; known && m < end; m++) {
        if (move_code(pos, m) == known) {
            return m;
        }
    }
    return -1;
}

int64_t find_move_of_iteration(const Tables *game, Position *pos, Search *search, int iteration) {
    int end = (int)generate_legal_moves(game, pos, 1);
    pos->moves[0] = search->first_moves[iteration];
    int alike = 0;
    for (int m = 1; m < end; m++) {
        if (move_code(pos, m) == move_code(pos, 0)) {
            const Move *move = pos->moves + m;
            if (move->node == pos->moves->node && move->partner == pos->moves->partner &&
                move->flags == pos->moves->flags) {
                return m - 1;
            }
            // A list may have two ways to make the same move.
            alike = alike ? alike : m;
        }
    }
    return alike - 1;
}
