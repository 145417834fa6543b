/* The search for the best move: alpha-beta.

   Nothing here knows a game: what pieces are worth stands in `Search`, which
   src/alfil/play/opponent.py lays out, and how games end src/alfil/engine/results.c knows. The line
   begins where the game has come to. An entry for a position that has been searched is two numbers,
   its key, and

       move << 30 | score + 2^20 << 9 | depth << 2 | bound */

enum { MATE = 1000000, SURE = 990000 };
/* So far a line is followed, captures included. */
enum { LONGEST = 90 };
enum { UPPER = 1, EXACT, LOWER };
enum { UNTOLD = 2000000 };
/* What a position may yet bring for each move of depth; killers are kept as numbers below this. */
enum { SLACK = 250, SHORT = 1000000007 };
/* Who has fewer moves than this may be glad of a pass. */
enum { MANY = 8 };
/* So many moves that are listed for their walls are as much work as a position. */
enum { LISTED = 16 };
/* Ratings of moves: the one known to be good, what gains, what refuted other moves. */
enum { KNOWN = 1000000000, GAINING = 50000000, REFUTING = 20000000 };
static int seek(const Tables *game, Position *pos, Search *search, int at, int depth, int alpha,
                int beta, int passing);

/* What the mover gains where a square is captured on. */
static int prize(const Tables *game, Position *pos, Search *search, int square) {
    int piece = pos->board[square];
    if (!piece) {
        return 0;
    }
    int worth = search->worth[piece * game->size + square];
    if (((piece - 1) & 1) == pos->side) {
        worth = -worth;
    }
    if (game->held[piece]) {
        worth += search->in_hand[game->held[piece] - 1];
    }
    return worth;
}

/* What a move gains at once. */
static int gain_of(const Tables *game, Position *pos, Search *search, int m) {
    int size = game->size;
    int origin = pos->moves[m].origin;
    int gain = search->worth[pos->moves[m].becomes * size + pos->moves[m].target];
    if (origin == size) {
        return gain - search->in_hand[pos->moves[m].node];
    }
    gain -= search->worth[pos->board[origin] * size + origin];
    for (int x = 0, end_x = captures(game, pos, m); x < end_x; x++) {
        int q = captured(game, pos, m, x);
        if (q < size) {
            gain += prize(game, pos, search, q);
        }
    }
    if (pos->moves[m].partner) {
        int rook = (pos->moves[m].partner - 1) >> 11;
        const int32_t *worth = search->worth + pos->board[rook] * size;
        gain += worth[(pos->moves[m].partner - 1) & SQUARE] - worth[rook];
    }
    return gain;
}

/* What a move gains at once, with what it changes besides. */
static int brings(const Tables *game, Position *pos, Search *search, int m) {
    if (!(pos->moves[m].flags & CHANGING) || game->walling) {
        return gain_of(game, pos, search, m);
    }
    int before = ahead(game, pos, search);
    make(game, pos, m);
    int after = -ahead(game, pos, search);
    unmake(game, pos, m);
    return after - before;
}

/* Make a move, and note what the mover is ahead behind it. */
static void play(const Tables *game, Position *pos, Search *search, int m) {
    int ply = ply_of(pos);
    int changing = pos->moves[m].flags & CHANGING;
    int gain = changing ? 0 : gain_of(game, pos, search, m);
    go_on(game, pos, m);
    search->ahead[ply + 1] = changing ? ahead(game, pos, search) : -search->ahead[ply] - gain;
}

/* A move as one number, not 0. */
static uint64_t code_of(Position *pos, int m) {
    return ((uint64_t)pos->moves[m].becomes * 2048 + pos->moves[m].origin) * 2048 +
           pos->moves[m].target;
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

/* Whether the piece that a move brings attacks the other royal from where it arrives. */
static int gives_check(const Tables *game, Position *pos, int m) {
    int k = pos->royals[1 - pos->side];
    int q = pos->moves[m].target;
    if (pos->careful) {
        return 0;
    }
    int a = aims_of(game, pos->moves[m].becomes, q, k);
    if (!a) {
        return 0;
    }
    return attacks_by_branches(game, pos, a, q, k);
}

/* Whether the enemy could capture back where a move arrives. */
static int is_guarded(const Tables *game, Position *pos, int m) {
    int origin = pos->moves[m].origin;
    int q = pos->moves[m].target;
    int was = pos->shift[origin];
    int stood = pos->shift[q];
    pos->shift[origin] = VACANT;
    pos->shift[q] = game->shift[pos->moves[m].becomes];
    int found = is_attacked(game, pos, q, 1 - pos->side, 0);
    pos->shift[q] = stood;
    pos->shift[origin] = was;
    return found;
}

/* How likely a move is the best one: the known one, then what gains, then what refuted. */
static int rate(const Tables *game, Position *pos, Search *search, int m, uint64_t known) {
    uint64_t code = code_of(pos, m);
    if (code == known) {
        return KNOWN;
    }
    int size = game->size;
    int origin = pos->moves[m].origin;
    int gain = brings(game, pos, search, m);
    int place = pos->moves[m].becomes * size + pos->moves[m].target;
    if (origin != size) {
        int sharp = pos->board[origin] != pos->moves[m].becomes ? 1 : 0;
        for (int x = 0, end_x = captures(game, pos, m); x < end_x; x++) {
            int q = captured(game, pos, m, x);
            if (q < size && pos->board[q]) {
                sharp = 1;
            }
        }
        if (sharp) {
            int own = search->worth[place];
            if (gain < own && is_guarded(game, pos, m)) {
                return gain - own;
            }
            return GAINING + 16 * gain - own;
        }
    }
    int32_t *killers = search->killers + 2 * ply_of(pos);
    int quiet = (int)(code % SHORT);
    if (killers[0] == quiet || killers[1] == quiet) {
        return REFUTING;
    }
    return search->good[place] + gain + 65536;
}

/* Bring the move with the best rating of those left to `m`; the rating. */
static int pick(Position *pos, Search *search, int m, int end) {
    int32_t *at = search->rated + m;
    int count = end - m;
    int best = 0;
    for (int x = 0; x < count; x++) {
        if (at[x] > at[best]) {
            best = x;
        }
    }
    int rating = at[best];
    if (best) {
        at[best] = at[0];
        at[0] = rating;
        swap_moves(pos, m, m + best);
    }
    return rating;
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

/* Rate the moves of a list. */
static void rate_all(const Tables *game, Position *pos, Search *search, int at, int end,
                     uint64_t known) {
    for (int m = at; m < end; m++) {
        search->rated[m] = rate(game, pos, search, m, known);
    }
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

/* The worth of a position when nothing more is to be gained at once; checks are answered. */
static int quiescence(const Tables *game, Position *pos, Search *search, int at, int depth, int alpha,
                int beta) {
    int end = 0;
    search->visited++;
    int best = evaluate(game, pos, search, alpha, beta);
    find_checks(game, pos);
    int checked = pos->checks;
    int far = ply_of(pos) >= LONGEST || is_full_line(pos, search, at);
    if (far || (checked && depth < -3) || search->halt) {
        return best;
    }
    if (checked) {
        end = list_moves(game, pos, at, ALL);
        int found = ended(game, pos, at, end, 1);
        if (found) {
            return worth_of(pos, found);
        }
        best = -MATE;
    } else {
        if (best >= beta && !game->take_first) {
            return best;
        }
        end = list_moves(game, pos, at, ONLY_GAINS);
        if (game->take_first && depth >= -3 && end > at && is_capture(game, pos, at)) {
            // A capture must be made.
            checked = 1;
            best = -MATE;
        }
    }
    rate_all(game, pos, search, at, end, 0);
    int m = at;
    uint64_t last = 0;
    while (m < end && best < beta) {
        int rating = pick(pos, search, m, end);
        if (pos->moves[m].flags >> EXTRA && code_of(pos, m) == last) {
            // One wall is as good as another while captures are looked at.
            m++;
            continue;
        }
        last = code_of(pos, m);
        if (depth < -3 && !checked && pos->moves[m].target != pos->victim) {
            m++;
            continue;
        }
        if (!checked &&
            (rating < GAINING / 2 || best + brings(game, pos, search, m) + 200 < alpha)) {
            break;
        }
        if (best > alpha) {
            alpha = best;
        }
        play(game, pos, search, m);
        int found = quick_result(game, pos, end);
        int score = found ? -worth_of(pos, found)
                          : -quiescence(game, pos, search, end, depth - 1, -beta, -alpha);
        take_back_at(game, pos, m);
        if (score > best) {
            best = score;
        }
        m++;
    }
    return best;
}

/* What the mover still has if it does not move; no game allows that, nearly. */
static int null_move_score(const Tables *game, Position *pos, Search *search, int at, int depth, int beta) {
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
    int score = -seek(game, pos, search, at, depth, -beta, 1 - beta, 0);
    leave_visit(pos, pos->past);
    pos->past--;
    take_back_pass(pos, lapsed);
    return score;
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

/* The score that an entry tells, `UNTOLD` where it was not searched deep enough for that. */
static int entry_score(const uint64_t *entry, int depth, int alpha, int beta, int ply) {
    uint64_t word = entry[1];
    int score = (int)((word >> 9) & 2097151) - 1048576;
    if (score > SURE) {
        score -= ply;
    } else if (score < -SURE) {
        score += ply;
    }
    int bound = (int)(word & 3);
    if ((int)((word >> 2) & 127) < depth || (bound == LOWER && score < beta)) {
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
    entry[1] = (move << 30) | ((score + 1048576) << 9) | (depth << 2) | bound;
}

/* Note that a quiet move refuted the last one. */
static void remember(const Tables *game, Position *pos, Search *search, int m, int depth) {
    int code = (int)(code_of(pos, m) % SHORT);
    int32_t *killers = search->killers + 2 * ply_of(pos);
    if (killers[0] != code) {
        killers[1] = killers[0];
        killers[0] = code;
    }
    int32_t *at = search->good + pos->moves[m].becomes * game->size + pos->moves[m].target;
    int weight = depth < 40 ? depth * depth : 1600;
    at[0] += weight * 16 - at[0] * weight / 4096;
}

/* By how much less deep a move is looked at that comes late in the list; drops most of all. */
static int late_reduction(int depth, int count, int rating, int dropped) {
    if (depth < 3 - dropped || count < 3 || rating >= REFUTING) {
        return 0;
    }
    int less = 1 + (count > 7) + (count > 19) + (depth > 6 && count > 11) + (depth > 10);
    less += dropped && count > 39;
    int most = depth - 3 + 2 * dropped;
    return less < most ? less : most;
}

/* Whether a move is so late in the list, or brings so little, that nobody looks at it. */
static int is_slight(const Tables *game, Position *pos, Search *search, int m, int depth, int count,
                     int lacking) {
    int gain = brings(game, pos, search, m);
    if (count <= 4 + 3 * depth * depth && gain + SLACK * depth > lacking) {
        return 0;
    }
    return !gives_check(game, pos, m);
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
        int score = -seek(game, pos, search, at, depth - less, down, -alpha, 1);
        if (less && score > alpha) {
            score = -seek(game, pos, search, at, depth, down, -alpha, 1);
        }
        if (score <= alpha || score >= beta) {
            return score;
        }
    }
    return -seek(game, pos, search, at, depth, -beta, -alpha, 1);
}

/* The worth of a position, looking `depth` moves ahead; `passing`: a pass may be tried. */
static int seek(const Tables *game, Position *pos, Search *search, int at, int depth, int alpha,
                int beta, int passing) {
    int less = 0;
    int score = 0;
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
    uint64_t *entry = search->entries + 2 * (key & (uint64_t)search->last_entry);
    uint64_t known = 0;
    if (entry[0] == key_in_round(search, key)) {
        known = entry[1] >> 30;
        score = entry_score(entry, depth, alpha, beta, ply);
        if (ply && score != UNTOLD) {
            return score;
        }
    }
    find_checks(game, pos);
    int end = list_moves(game, pos, at, ALL);
    int checked = pos->checks > 0;
    if (game->walling) {
        // A move for each wall: to list them is the work.
        search->visited += (end - at) / LISTED;
    }
    int found = ply ? ended(game, pos, at, end, checked) : 0;
    if (found) {
        return worth_of(pos, found);
    }
    int now = evaluate(game, pos, search, alpha, beta);
    // Where it is only asked whether a line is better than another, guesses are good enough.
    int guess = beta - alpha == 1 && !checked && beta < SURE && alpha > -SURE;
    if (guess && ply > 2 && depth <= 3 && now - SLACK * depth >= beta) {
        return now;
    }
    passing = passing && depth >= 2 && end - at > MANY && !game->take_first;
    passing = passing && pos->past < pos->last_past;
    if (guess && ply > 2 && passing && now >= beta && !game->turning) {
        less = depth - 3 - depth / 5;
        score = null_move_score(game, pos, search, end, less, beta);
        if (score >= beta && score < SURE && !search->halt) {
            return score;
        }
    }
    rate_all(game, pos, search, at, end, known);
    int best = -MATE;
    int bound = UPPER;
    int deep = depth - 1 + (checked && search->extending && ply <= search->reached);
    int count = 0;
    int m = at;
    while (m < end && best < beta) {
        int rating = pick(pos, search, m, end);
        if (guess && count && rating < REFUTING && depth <= 4 && best > -SURE) {
            int early = ply < 3 && pos->moves[m].origin != game->size;
            if (!early && is_slight(game, pos, search, m, depth, count, alpha - now)) {
                m++;
                continue;
            }
        }
        less = -1;
        if (count) {
            less = checked ? 0 : late_reduction(depth, count, rating, pos->moves[m].origin == game->size);
            if (less && gives_check(game, pos, m)) {
                less = 0;
            }
        }
        play(game, pos, search, m);
        score = search_reply(game, pos, search, end, deep, less, alpha, beta);
        take_back_at(game, pos, m);
        if (search->halt) {
            return 0;
        }
        count++;
        if (score > best) {
            best = score;
            if (score > alpha) {
                alpha = score;
                bound = EXACT;
                known = code_of(pos, m);
                if (!ply) {
                    pos->moves[0] = pos->moves[m];
                }
            }
        }
        if (score >= beta) {
            bound = LOWER;
            if (rating < GAINING / 2) {
                remember(game, pos, search, m, depth);
            }
        }
        m++;
    }
    store_entry(search, key, known, best, depth, bound, ply);
    return best;
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
        int score = seek(game, pos, search, 1, search->reached + 1, -MATE, MATE, 0);
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
