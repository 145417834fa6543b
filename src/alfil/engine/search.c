/* The search for the best move: alpha-beta.

   Nothing here knows a game: what pieces are worth stands in `Search`, which
   src/alfil/play/opponent.py lays out, and how games end src/alfil/engine/results.c knows. The line
   begins where the game has come to. */

/* Who has fewer moves than this may be glad of a pass. */
enum { MANY = 8 };
/* So many moves that are listed for their walls are as much work as a position. */
enum { LISTED = 16 };
/* Margins, in hundredths of a move: what the side that is ahead stays ahead by for each move of depth,
   what the one behind may come back by, what a quiet move may bring at once and for each move of depth, how
   much further ahead makes a null move shallower, and what a capture may bring besides. */
enum {
    REVERSE_MARGIN = 210,
    RAZOR_MARGIN = 250,
    FUTILITY_BASE = 235,
    FUTILITY_MARGIN = 170,
    NULL_MARGIN = 200,
    DELTA = 200,
};
/* What a capture may lose for each move of depth, and a quiet move for the square of the depth. */
enum { CAPTURE_LOSS = 190, QUIET_LOSS = 30 };
/* Half the width of the first window about the last score. */
enum { ASPIRATION = 60, WIDEST = 4000 };
/* After a mate was found it is looked so many moves deeper for a shorter one. */
enum { HIDDEN = 2 };
/* Late moves are looked at less deep, by so many 1024ths of a move, and so many more for each product of
   logarithms of the depth and of the place in the list. */
enum { REDUCTION_BASE = 500, REDUCTION_SLOPE = 260 };
/* In quiescence, from this depth on checks are answered and captures made that must be; deeper there is but
   capturing back. */
enum { LAST_FORCED = -3 };
/* The first depth is looked at in full where that takes no more positions, even if fewer are allowed. */
enum { FIRST_LOOK = 1024 };
/* How many numbers tell of one depth. */
enum { ITERATION = 2 };

/* A position of the tree, as it is looked at. */
typedef struct {
    int ply, depth, alpha, beta;
    int at, end;   /* its moves */
    int forced;    /* whether the mover is in check, or must capture in quiescence, */
    int now;       /* what it seems worth, */
    int improving; /* and whether that is more than two moves ago */
    /* Whether it is only asked whether the line is better than another, so that guesses are good
       enough. */
    int guess;
    int passing;   /* whether a null move may be tried */
    uint64_t word; /* its entry */
} Node;

static int alpha_beta(const Tables *game, Position *pos, Search *search, int at, int depth, int alpha,
                      int beta, int passing);
static int quiescence(const Tables *game, Position *pos, Search *search, int at, int depth, int alpha,
                      int beta);

/* Make a move, and note what the mover is ahead behind it. */
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

/* What a result that the line has come to is worth to the side to move; draws that nobody has won are
   worth nothing. */
static int score_of_result(const Position *pos, int result) {
    int won = result & 3;
    // Repetitions are guessed at: nobody has to repeat what loses.
    int score = result >> 2 < BY_REPETITION ? MATE - plies_from_root(pos) : SURE / 2;
    if (won == DRAW) {
        return 0;
    }
    return won == pos->side ? score : -score;
}

/* List `ALL` legal moves in no order, or `ONLY_GAINS`; `find_checks` must have been asked last. */
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

/* How the game has ended in the position whose moves are listed, 0 where it goes on.

   What `quick_result` knows is not asked again, but where it could not tell. */
static int result_at_node(const Tables *game, Position *pos, int at, int end, int checked) {
    LegalMoves replies = {end - at, at, end};
    add_en_passant_to_key(game, pos, &replies);
    return game_result(game, pos, &replies, !checked && !pos->trail);
}

/* Whether there is no room for another list of moves, so that a line is followed no farther. */
static int lacks_list_room(const Position *pos, const Search *search, int at) {
    return at > pos->last_listed - search->longest;
}

/* Whether captures must be made, and the first move of a list is one. */
static int must_capture(const Tables *game, Position *pos, int at, int end) {
    return game->take_first && end > at && is_capture(game, pos, at);
}

/* Whether quiescence leaves out a move that loses nothing: it gains too little. */
static int is_skipped_in_quiescence(const Tables *game, Position *pos, Search *search, int m,
                                    int depth, int least_gain) {
    if (depth < LAST_FORCED && pos->moves[m].target != pos->victim) {
        return 1;
    }
    return immediate_gain_with_effects(game, pos, search, m) < least_gain;
}

/* Look at the moves of a position in quiescence; the best score, at least what it seems worth. */
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
            // This one loses something, or gains too little, and all behind it do.
            break;
        }
        uint64_t code = move_code(pos, m);
        // One wall is as good as another while captures are looked at.
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

/* The worth of a position when nothing more is to be gained at once; checks are answered. */
static int quiescence(const Tables *game, Position *pos, Search *search, int at, int depth, int alpha,
                      int beta) {
    Node node = {
        .ply = plies_from_root(pos), .depth = depth, .alpha = alpha, .beta = beta, .at = at};
    uint64_t key = transposition_key(pos);
    search->visited++;
    if (search->visited > search->allowed && (search->reached || search->visited > FIRST_LOOK)) {
        search->halt = 1;
    }
    // Of the root it is asked what it is worth without what the search has found.
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

/* What the mover still has if it does not move; no game allows that, nearly. */
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

/* Whether a null move may show that a position is good enough: a side with few moves may be glad not to
   have to move. */
static int may_try_null_move(const Tables *game, const Position *pos, const Node *node) {
    return node->passing && node->depth >= 2 && node->now >= node->beta && !game->take_first &&
           node->end - node->at > MANY && !game->turning && pos->past < pos->last_past;
}

/* The score of a position that need not be looked into, `UNTOLD` where it must be. */
static int pruned_score(const Tables *game, Position *pos, Search *search, const Node *node) {
    int depth = node->depth;
    int surplus = node->now - node->beta;
    // Reverse futility: what is ahead by so much stays ahead.
    if (depth <= 7 && surplus >= REVERSE_MARGIN * (depth - node->improving)) {
        return node->now;
    }
    // Razoring: what is behind by so much has but captures to come back by.
    int lacking = node->alpha - node->now;
    if (depth <= 3 && lacking > RAZOR_MARGIN * (1 + depth * depth) && !game->take_first) {
        int score = quiescence(game, pos, search, node->end, 0, node->alpha, node->beta);
        if (score <= node->alpha) {
            return score;
        }
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

/* Sixteen times the logarithm to base 2 of a number above 0, nearly. */
static int log2_times_16(int number) {
    int whole = 0;
    while (number >> (whole + 1)) {
        whole++;
    }
    return 16 * whole + ((16 * (number - (1 << whole))) >> whole);
}

/* By how much less deep a move is looked at that comes late in the list. */
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

/* Whether a move is so late in the list, brings so little, or loses so much that nobody looks at it. */
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

/* What the move just made is worth to its side.

   Unless `reduction` is below zero it is asked first, that much less deep, whether it is better
   than `alpha` at all. */
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

/* The score of a move of a position, so many of which were looked at before. */
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

/* Look at the moves of a position one after the other; the best score. */
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
            // Before anything is known the move is taken that promises most.
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

/* Leave of the moves from `at` on those that the search is to choose from; where they end. */
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

/* List the moves of a position; its score where the game has ended, else `UNTOLD`. */
static int list_and_evaluate_node(const Tables *game, Position *pos, Search *search, Node *node) {
    find_checks(game, pos);
    node->end = list_moves(game, pos, node->at, ALL);
    node->end = node->ply ? node->end : keep_root_moves(pos, search, node->at, node->end);
    node->forced = pos->checks > 0;
    if (game->walling) {
        // A move for each wall: to list them is the work.
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

/* The worth of a position, looking `depth` moves ahead; `passing`: a null move may be tried. */
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
    // Nothing is better than to mate at once, and nothing worse than to be mated now.
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
        // Without a move to begin with the work is saved: the next time there is one.
        node.depth--;
    }
    return search_moves(game, pos, search, &node, key);
}

/* The score of the root, looking so many moves ahead: near the last one first, then in wider windows. */
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

/* Note what was found by looking one move farther; whoever sees that it was reached sees it noted. */
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

/* Look for the best move, first one move ahead, at most `depth`; it stands first in the list.

   It ends with the work that is allowed, or when anybody sets the stop; `NO_MOVE` stands there as the
   origin where that was too soon. */
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
            // A mate ends it, but a shorter one may hide behind moves that are looked at less deep.
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
            // Lists may come to one move by two ways.
            alike = alike ? alike : m;
        }
    }
    return alike - 1;
}
