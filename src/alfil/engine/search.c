/* The search for the best move: alpha-beta.

   Nothing here knows a game: what pieces are worth stands in `Search`, which
   src/alfil/play/opponent.py lays out, and how games end src/alfil/engine/results.c knows. The line
   begins where the game has come to. An entry for a position that has been searched is two numbers,
   its key, and

       move << 30 | score + 2^20 << 9 | depth << 2 | bound */

enum { MATE = 1000000, SURE = 990000 };
enum { UPPER = 1, EXACT, LOWER };
enum { UNTOLD = 2000000 };
/* More than that moves make no difference to a position. */
enum { FAR = 800 };
/* Who has fewer moves than this may be glad of a pass. */
enum { MANY = 8 };
/* So many moves that are listed for their walls are as much work as a position. */
enum { LISTED = 16 };
/* Margins, in hundredths of a move: what the side that is ahead stays ahead by for each move of depth,
   what the one behind may come back by, and what captures and quiet moves may bring besides. */
enum {
    REVERSE_MARGIN = 210,
    RAZOR_MARGIN = 250,
    FUTILITY_BASE = 235,
    LOSS_MARGIN = 30,
    FUTILITY_MARGIN = 170,
    EXCHANGE_MARGIN = 190,
    NULL_MARGIN = 200,
    DELTA = 200,
};
/* Half the width of the first window about the last score. */
enum { ASPIRATION = 60 };
/* Late moves are looked at less deep, by so many 1024ths of a move, and so many more for each product of
   logarithms of the depth and of the place in the list. */
enum { REDUCTION_BASE = 500, REDUCTION_SLOPE = 260 };
static int alpha_beta(const Tables *game, Position *pos, Search *search, int at, int depth, int alpha,
                      int beta, int passing);

/* What the mover's pieces are worth more than the other side's. */
static int ahead(const Tables *game, Position *pos, Search *search) {
    int total = 0;
    for (int side = 0; side < 2; side++) {
        for (int x = 0, end_x = pos->counts[side]; x < end_x; x++) {
            int s = pos->lists[side * game->size + x];
            total += search->worth[pos->board[s] * game->size + s];
        }
        for (int kind = 0; kind < game->kinds; kind++) {
            total += pos->hands[side * game->kinds + kind] * search->in_hand[kind];
        }
        total = -total;
    }
    return pos->side ? -total : total;
}

/* How many moves the pieces of a side have, royals and those with odd moves aside; drops are none. */
static int mobility_of(const Tables *game, Position *pos, int side) {
    const int32_t *squares = pos->lists + side * game->size;
    int total = 0;
    for (int x = 0; x < pos->counts[side]; x++) {
        int piece = pos->board[squares[x]];
        if (!game->royal[piece] && is_simple(game, pos, piece)) {
            total += count_free(game, pos, squares[x]);
        }
    }
    return total;
}

/* What the position is worth to the mover as it is. Moves are only counted where what the pieces are
   worth is not far from `alpha` and `beta`. */
static int evaluate(const Tables *game, Position *pos, Search *search, int alpha, int beta) {
    int worth = search->ahead[ply_of(pos)] + search->tempo;
    if (!search->mobility || worth > beta + FAR || worth < alpha - FAR) {
        return worth;
    }
    int more = mobility_of(game, pos, pos->side) - mobility_of(game, pos, 1 - pos->side);
    return worth + search->mobility * more;
}

/* Make a move, and note what the mover is ahead behind it. */
static void play(const Tables *game, Position *pos, Search *search, int m) {
    int ply = ply_of(pos);
    int changing = pos->moves[m].flags & CHANGING;
    int gain = changing ? 0 : gain_of(game, pos, search, m);
    int place = place_of(game, pos, m);
    go_on(game, pos, m);
    search->placed[ply + 1] = place;
    search->ahead[ply + 1] = changing ? ahead(game, pos, search) : -search->ahead[ply] - gain;
}

/* What a result that the line has come to is worth to the side to move; draws that nobody has won are
   worth nothing. */
static int worth_of(const Position *pos, int found) {
    int won = found & 3;
    // Repetitions are guessed at: nobody has to repeat what loses.
    int score = found >> 2 < BY_REPETITION ? MATE - ply_of(pos) : SURE / 2;
    if (won == DRAW) {
        return 0;
    }
    return won == pos->side ? score : -score;
}

/* List `ALL` legal moves in no order, or `ONLY_GAINS`; `find_checks` must have been asked last. */
static int list_moves(const Tables *game, Position *pos, int at, int which) {
    show_trail(game, pos, PASSED);
    int32_t *first = pos->lists + pos->side * game->size;
    int start = at;
    for (int j = 0, end_j = movers(game, pos); j < end_j; j++) {
        int s = first[j];
        int mode = mode_of(game, pos, s);
        at = list_piece(game, pos, at, s, mode, which);
    }
    show_trail(game, pos, VACANT);
    if (which == ONLY_GAINS) {
        return game->take_first ? only_captures(game, pos, start, at) : at;
    }
    int end = list_drops(game, pos, at);
    end = without_mates(game, pos, at, end);
    return apply_list_rules(game, pos, start, end);
}

/* How the game has ended in the position whose moves are listed, 0 where it goes on.

   What `quick_result` knows is not asked again, but where it could not tell. */
static int ended(const Tables *game, Position *pos, int at, int end, int checked) {
    Replies replies = {end - at, at, end};
    settle_key(game, pos, &replies);
    return result_of(game, pos, &replies, !checked && !pos->trail);
}

/* Whether there is no room for another list of moves, so that a line is followed no farther. */
static int is_full_line(const Position *pos, const Search *search, int at) {
    return at > pos->last_listed - search->longest;
}

/* The key of a position before its moves are listed: that of the trail is in it, legal or not. */
static uint64_t whole_key(const Position *pos) {
    const Ply *last = pos->line + pos->past;
    uint64_t trail = pos->trail ? scatter((uint64_t)pos->trail) : 0;
    uint64_t exchange = pos->exchanged ? scattered(EXCHANGED, pos->exchanged, 0) : 0;
    return (last->board + last->rights + trail + exchange) & MASK;
}

/* A key as entries have it: what another round of searching has written is not met again. */
static uint64_t key_in_round(const Search *search, uint64_t key) {
    return key ^ (search->round ? scatter((uint64_t)search->round) : 0);
}

/* The word of a position's entry, 0 where there is none. */
static uint64_t probe(const Search *search, uint64_t key) {
    const uint64_t *entry = search->entries + 2 * (key & (uint64_t)search->last_entry);
    return entry[0] == key_in_round(search, key) ? entry[1] : 0;
}

/* The score of an entry, counted from the root. */
static int score_of(uint64_t word, int ply) {
    int score = (int)((word >> 9) & 2097151) - 1048576;
    if (score > SURE) {
        return score - ply;
    }
    return score < -SURE ? score + ply : score;
}

/* The score that an entry tells, `UNTOLD` where it was not searched deep enough for that. */
static int entry_score(uint64_t word, int depth, int alpha, int beta, int ply) {
    int score = score_of(word, ply);
    int bound = (int)(word & 3);
    if (!word || (int)((word >> 2) & 127) < depth || (bound == LOWER && score < beta)) {
        return UNTOLD;
    }
    return (bound == UPPER && score > alpha) ? UNTOLD : score;
}

/* Write an entry; mates are counted from its own position. */
static void store_entry(Search *search, uint64_t key, uint64_t move, int score, int depth, int bound,
                        int ply) {
    if (score > SURE) {
        score += ply;
    } else if (score < -SURE) {
        score -= ply;
    }
    uint64_t *entry = search->entries + 2 * (key & (uint64_t)search->last_entry);
    entry[0] = key_in_round(search, key);
    entry[1] = (move << 30) | ((uint64_t)(score + 1048576) << 9) | ((uint64_t)depth << 2) |
               (uint64_t)bound;
}

/* A static evaluation, or what the table of positions knows better. */
static int better_guess(int now, uint64_t word, int ply) {
    int score = score_of(word, ply);
    int bound = (int)(word & 3);
    int raises = bound != UPPER && score > now;
    int lowers = bound != LOWER && score < now;
    return word && (raises || lowers) ? score : now;
}

/* Whether captures must be made, and the first move of a list is one. */
static int must_capture(const Tables *game, Position *pos, int at, int end) {
    return game->take_first && end > at && is_capture(game, pos, at);
}

/* Whether quiescence leaves a move out that was rated so: it loses something, or gains too little. */
static int is_futile(const Tables *game, Position *pos, Search *search, int m, int depth, int rating,
                     int missing) {
    if (rating < GOOD_CAPTURE / 2) {
        return 1;
    }
    if (depth < -3 && pos->moves[m].target != pos->victim) {
        return 1;
    }
    return whole_gain(game, pos, search, m) + DELTA < missing;
}

/* The worth of a position when nothing more is to be gained at once; checks are answered. */
static int quiescence(const Tables *game, Position *pos, Search *search, int at, int depth, int alpha,
                      int beta) {
    int ply = ply_of(pos);
    uint64_t key = whole_key(pos);
    uint64_t word = probe(search, key);
    search->visited++;
    int score = entry_score(word, 0, alpha, beta, ply);
    if (ply && beta - alpha == 1 && score != UNTOLD) {
        return score;
    }
    int now = evaluate(game, pos, search, alpha, beta);
    int best = better_guess(now, word, ply);
    find_checks(game, pos);
    int forced = pos->checks;
    int far = ply >= LONGEST || is_full_line(pos, search, at);
    if (far || (forced && depth < -3) || search->halt) {
        return best;
    }
    if (!forced && best >= beta && !game->take_first) {
        return best;
    }
    int end = list_moves(game, pos, at, forced ? ALL : ONLY_GAINS);
    int found = forced ? ended(game, pos, at, end, 1) : 0;
    if (found) {
        return worth_of(pos, found);
    }
    forced = forced || (depth >= -3 && must_capture(game, pos, at, end));
    best = forced ? -MATE : best;
    rate_all(game, pos, search, at, end, word >> 30);
    int first = alpha;
    uint64_t known = word >> 30;
    uint64_t last = 0;
    for (int m = at; m < end && best < beta; m++) {
        int rating = pick(pos, search, m, end);
        uint64_t code = code_of(pos, m);
        // One wall is as good as another while captures are looked at.
        int again = pos->moves[m].flags >> EXTRA && code == last;
        last = code;
        if (again || (!forced && is_futile(game, pos, search, m, depth, rating, alpha - best))) {
            continue;
        }
        alpha = best > alpha ? best : alpha;
        play(game, pos, search, m);
        found = quick_result(game, pos, end);
        score = found ? -worth_of(pos, found)
                      : -quiescence(game, pos, search, end, depth - 1, -beta, -alpha);
        take_back_at(game, pos, m);
        if (score > best) {
            best = score;
            known = score > alpha ? code : known;
        }
    }
    if (!search->halt && !forced) {
        int bound = best >= beta ? LOWER : best > first ? EXACT : UPPER;
        store_entry(search, key, known, best, 0, bound, ply);
    }
    return best;
}

/* What the mover still has if it does not move; no game allows that, nearly. */
static int null_move_score(const Tables *game, Position *pos, Search *search, int at, int depth,
                           int beta) {
    Ply *made = pos->line + pos->past + 1;
    *made = made[-1];
    uint64_t before = phase(game, pos);
    Lapsed lapsed = pass_turn(pos);
    pos->past++;
    made->board = (made->board + (uint64_t)(2 * pos->side - 1) + phase(game, pos) - before) & MASK;
    made->key = (made->board + made->rights) & MASK;
    made->check = made->fresh = 0;
    enter_visit(pos, pos->past);
    search->ahead[ply_of(pos)] = -search->ahead[ply_of(pos) - 1];
    search->placed[ply_of(pos)] = 0;
    int score = -alpha_beta(game, pos, search, at, depth, -beta, 1 - beta, 0);
    leave_visit(pos, pos->past);
    pos->past--;
    take_back_pass(pos, lapsed);
    return score;
}

/* A position of the tree, as it is looked at. */
typedef struct {
    int ply, depth, alpha, beta;
    int at, end;   /* its moves */
    int checked;   /* whether the mover is in check, */
    int now;       /* what it seems worth, */
    int improving; /* and whether that is more than two moves ago */
    /* Whether it is only asked whether the line is better than another, so that guesses are good
       enough. */
    int guess;
    int passing;   /* whether a pass may be tried */
    uint64_t word; /* its entry */
} Node;

/* The score of a position that need not be looked into, `UNTOLD` where it must be. */
static int pruned_score(const Tables *game, Position *pos, Search *search, const Node *node) {
    int depth = node->depth;
    int beta = node->beta;
    int surplus = node->now - beta;
    if (!node->guess || !node->ply) {
        return UNTOLD;
    }
    // Reverse futility: what is ahead by so much stays ahead.
    if (depth <= 7 && surplus >= REVERSE_MARGIN * (depth - node->improving)) {
        return node->now;
    }
    // Razoring: what is behind by so much has but captures to come back by.
    if (depth <= 3 && node->now + RAZOR_MARGIN * depth * depth + RAZOR_MARGIN < node->alpha && !game->take_first) {
        int score = quiescence(game, pos, search, node->end, 0, node->alpha, beta);
        if (score <= node->alpha) {
            return score;
        }
    }
    int passing = node->passing && depth >= 2 && node->end - node->at > MANY && !game->take_first &&
                  !game->turning && pos->past < pos->last_past;
    if (passing && surplus >= 0) {
        int more = surplus / NULL_MARGIN;
        int reduction = 3 + depth / 4 + (more < 3 ? more : 3);
        int score = null_move_score(game, pos, search, node->end, depth - reduction, beta);
        if (score >= beta && score < SURE && !search->halt) {
            return score;
        }
    }
    return UNTOLD;
}

/* Sixteen times the logarithm to base 2, nearly. */
static int log_of(int number) {
    int whole = 0;
    while (number >> (whole + 1)) {
        whole++;
    }
    return 16 * whole + (16 * (number - (1 << whole)) >> whole);
}

/* By how much less deep a move is looked at that comes late in the list. */
static int late_reduction(const Tables *game, Position *pos, Search *search, const Node *node, int m,
                          int count, int rating) {
    if (node->depth < 2 || count < 2 + !node->ply || rating > KILLER + 1) {
        return 0;
    }
    int less = REDUCTION_BASE + REDUCTION_SLOPE * log_of(node->depth) * log_of(count + 1) / 256;
    less += node->improving ? 0 : 512;
    less -= node->guess ? 0 : 1024;
    less -= node->checked ? 1024 : 0;
    if (rating >= KILLER) {
        less -= 1024;
    } else if (rating > LOSING / 2) {
        less -= history_of(game, pos, search, m) / 12;
    }
    less /= 1024;
    return less < 0 ? 0 : less;
}

/* Whether a move is so late in the list, or brings so little, that nobody looks at it. */
static int is_hopeless(const Tables *game, Position *pos, Search *search, const Node *node, int m,
                       int count, int rating) {
    int depth = node->depth;
    if (rating > LOSING / 2 && rating < KILLER) {
        int late = count > (3 + depth * depth) / (2 - node->improving);
        int less = late_reduction(game, pos, search, node, m, count, rating);
        int left = depth - 1 - less > 0 ? depth - 1 - less : 0;
        int futile = left < 6 && !node->checked &&
                     node->now + FUTILITY_MARGIN * left + FUTILITY_BASE <= node->alpha;
        if ((late || futile) && !gives_check(game, pos, m)) {
            return 1;
        }
        return exchange_value(game, pos, search, m, 0) < -LOSS_MARGIN * left * left;
    }
    if (rating <= LOSING / 2) {
        return rating - LOSING < -EXCHANGE_MARGIN * depth;
    }
    return 0;
}

/* What the move just made is worth to its side.

   Unless `less` is below zero it is asked first, that much less deep, whether it is better than
   `alpha` at all. */
static int search_reply(const Tables *game, Position *pos, Search *search, int at, int depth, int less,
                        int alpha, int beta) {
    int found = quick_result(game, pos, at);
    if (found) {
        return -worth_of(pos, found);
    }
    if (less >= 0) {
        int down = -alpha - 1;
        int left = depth - less < 1 ? (depth < 1 ? depth : 1) : depth - less;
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

/* Look at the moves of a position one after the other; the best score. */
static int search_moves(const Tables *game, Position *pos, Search *search, const Node *node,
                        uint64_t key) {
    int alpha = node->alpha;
    int beta = node->beta;
    int best = -MATE;
    int count = 0;
    uint64_t known = node->word >> 30;
    int deep = node->depth - 1 + (node->checked && search->extending && node->ply <= search->reached);
    for (int m = node->at; m < node->end && best < beta; m++) {
        int rating = pick(pos, search, m, node->end);
        if (node->ply && count && best > -SURE && is_hopeless(game, pos, search, node, m, count, rating)) {
            search->rated[m] = PRUNED;
            continue;
        }
        int less = -1;
        if (count) {
            less = late_reduction(game, pos, search, node, m, count, rating);
            if (less && rating > LOSING / 2 && gives_check(game, pos, m)) {
                less--;
            }
        }
        play(game, pos, search, m);
        int score = search_reply(game, pos, search, node->end, deep, less, alpha, beta);
        take_back_at(game, pos, m);
        if (search->halt) {
            return 0;
        }
        count++;
        if (score > best) {
            best = score;
            if (score > alpha) {
                alpha = score;
                known = code_of(pos, m);
                if (!node->ply) {
                    pos->moves[0] = pos->moves[m];
                }
            }
        }
        if (score >= beta && is_quiet_move(game, pos, m)) {
            remember_refutation(game, pos, search, node->at, m, node->depth);
        }
    }
    int bound = best >= beta ? LOWER : best > node->alpha ? EXACT : UPPER;
    store_entry(search, key, known, best, node->depth, bound, node->ply);
    return best;
}

/* The worth of a position, looking `depth` moves ahead; `passing`: a pass may be tried. */
static int alpha_beta(const Tables *game, Position *pos, Search *search, int at, int depth, int alpha,
                      int beta, int passing) {
    int ply = ply_of(pos);
    if (depth <= 0 || ply >= LONGEST || is_full_line(pos, search, at)) {
        return quiescence(game, pos, search, at, 0, alpha, beta);
    }
    search->visited++;
    if (search->visited > search->allowed) {
        search->halt = 1;
    }
    if (search->halt) {
        return 0;
    }
    uint64_t key = whole_key(pos);
    Node node = {.ply = ply, .depth = depth, .alpha = alpha, .beta = beta, .at = at};
    node.word = probe(search, key);
    int score = entry_score(node.word, depth, alpha, beta, ply);
    if (ply && beta - alpha == 1 && score != UNTOLD) {
        return score;
    }
    find_checks(game, pos);
    node.end = list_moves(game, pos, at, ALL);
    node.checked = pos->checks > 0;
    if (game->walling) {
        // A move for each wall: to list them is the work.
        search->visited += (node.end - at) / LISTED;
    }
    int found = ply ? ended(game, pos, at, node.end, node.checked) : 0;
    if (found) {
        return worth_of(pos, found);
    }
    int now = evaluate(game, pos, search, alpha, beta);
    search->evals[ply] = now;
    node.improving = ply >= 2 && now > search->evals[ply - 2];
    node.now = better_guess(now, node.word, ply);
    node.guess = beta - alpha == 1 && !node.checked && beta < SURE && alpha > -SURE;
    node.passing = passing;
    score = pruned_score(game, pos, search, &node);
    if (score != UNTOLD) {
        return score;
    }
    if (node.depth >= 4 && !(node.word >> 30)) {
        // Without a move to begin with it is not worth the work: the next time there will be one.
        node.depth--;
    }
    rate_all(game, pos, search, at, node.end, node.word >> 30);
    return search_moves(game, pos, search, &node, key);
}

/* The score of the root, looking so many moves ahead, when about as much is expected as before. */
static int aspire(const Tables *game, Position *pos, Search *search, int depth) {
    int window = ASPIRATION;
    int alpha = depth < 4 ? -MATE : search->score - window;
    int beta = depth < 4 ? MATE : search->score + window;
    for (;;) {
        int score = alpha_beta(game, pos, search, 1, depth, alpha, beta, 0);
        if (search->halt || (score > alpha && score < beta)) {
            return score;
        }
        if ((score <= alpha && alpha <= -MATE) || (score >= beta && beta >= MATE)) {
            return score;
        }
        window *= 3;
        if (score <= alpha) {
            alpha = window > SURE / 100 ? -MATE : score - window;
        } else {
            beta = window > SURE / 100 ? MATE : score + window;
        }
    }
}

/* Look for the best move, first one move ahead, at most `depth`; it stands first in the list.

   It ends with the work that is allowed, or when anybody sets the stop; `NO_MOVE` stands there as the
   origin where that was too soon. */
int64_t think(const Tables *game, Position *pos, Search *search, int depth) {
    pos->root = pos->past + 1;
    search->ahead[0] = ahead(game, pos, search);
    find_checks(game, pos);
    pos->moves[0].origin = NO_MOVE;
    int end = list_moves(game, pos, 1, ALL);
    if (end == 1) {
        return 0;
    }
    pos->moves[0] = pos->moves[1];
    if (end == 2) {
        depth = 1;
    }
    while (search->reached < depth && !search->halt) {
        int score = aspire(game, pos, search, search->reached + 1);
        if (!search->halt) {
            search->score = score;
            search->reached++;
            if (score >= MATE - search->reached || -score >= MATE - search->reached) {
                break;
            }
        }
    }
    return search->reached;
}
