/* Chess problems: whether a stipulation can be fulfilled from a position.

   A stipulation is a list of plies. On each, the side to move either chooses, or every move of its
   own has to lead on; after a ply of a series the same side moves again, and may not have given
   check. The goal is reached by the last move, or by an earlier one of a ply that may end. */

/* What the last move has to bring about. */
static int reaches(const Tables *game, Position *pos, const Problem *problem, int at) {
    const Ply *last = pos->line + pos->past;
    switch (problem->goal) {
    case GOAL_CAPTURE:
        return noted_last(pos)[0] != 0;
    case GOAL_SQUARE:
        return last->move.target == problem->square;
    case GOAL_WIN: {
        Replies replies = count_replies(game, pos, at);
        settle_key(game, pos, &replies);
        int found = result_of(game, pos, &replies, 0);
        return found && found % WINNERS == 1 - pos->side;
    }
    }
    int checked = problem->goal != GOAL_NO_MOVE && is_in_check(game, pos, pos->side);
    switch (problem->goal) {
    case GOAL_CHECK:
        return checked;
    case GOAL_MATE:
        return checked && !has_reply(game, pos, at);
    case GOAL_STALEMATE:
        return !checked && !has_reply(game, pos, at);
    }
    return !has_reply(game, pos, at);
}

/* Whether nothing can follow: there is no room for it, or the game has ended by a rule. */
static int stops(const Tables *game, Position *pos, Problem *problem, int at) {
    if (at > pos->last_listed - problem->longest || pos->past >= pos->last_past) {
        problem->halt = 1;
    }
    return problem->halt || quick_result(game, pos, at);
}

static int can_be_solved(const Tables *game, Position *pos, Problem *problem, int at, int ply);

/* Whether the move just made leads on; a series goes on with the same side. */
static int follows(const Tables *game, Position *pos, Problem *problem, int at, int ply) {
    int series = problem->steps[ply] & IN_SERIES;
    if (ply + 1 == problem->plies || stops(game, pos, problem, at)) {
        return 0;
    }
    if (!series) {
        return can_be_solved(game, pos, problem, at, ply + 1);
    }
    if (is_in_check(game, pos, pos->side)) {
        return 0;
    }
    Ply *last = pos->line + pos->past;
    uint64_t board = last->board, before = phase(game, pos);
    Lapsed lapsed = pass_turn(pos);
    // Equal positions have one key, however many moves have led to them.
    last->board = (board + (uint64_t)(2 * pos->side - 1) + phase(game, pos) - before) & MASK;
    int found = can_be_solved(game, pos, problem, at, ply + 1);
    take_back_pass(pos, lapsed);
    last->board = board;
    return found;
}

/* What the move at m of a list that ends at `at` does on a ply: nothing, reach the goal, lead on. */
static int leads_to(const Tables *game, Position *pos, Problem *problem, int m, int at, int ply) {
    int checks = problem->steps[ply] & GIVES_CHECK;
    go_on(game, pos, m);
    int found = LEADS_NOWHERE;
    if (pos->unmade) {
        problem->halt = 1;
    } else if (!checks || is_in_check(game, pos, pos->side)) {
        if ((problem->steps[ply] & MAY_END) && reaches(game, pos, problem, at)) {
            found = LEADS_TO_GOAL;
        } else if (follows(game, pos, problem, at, ply)) {
            found = LEADS_ON;
        }
    }
    take_back_at(game, pos, m);
    return found;
}

/* The entry of a position with so many plies to go: one number, which ends with the answer. It holds
   as well for shorter stipulations, whose plies are the last ones of this. */
static uint64_t entry_of(const Position *pos, int plies) {
    return (whole_key(pos) + scatter((uint64_t)plies + 1)) << 1 & ~UINT64_C(1);
}

/* Halt where so much work, or so many positions, are more than allowed. */
static void halt_if_spent(const Position *pos, Problem *problem) {
    if (positions_of_work(pos, problem->visited) > problem->allowed) {
        problem->halt = 1;
    }
}

/* Whether the side to move can, or has to, bring about the goal from this ply on. */
static int can_be_solved(const Tables *game, Position *pos, Problem *problem, int at, int ply) {
    problem->visited++;
    halt_if_spent(pos, problem);
    uint64_t key = entry_of(pos, problem->plies - ply);
    uint64_t *entry = problem->entries + ((key >> 1) & (uint64_t)problem->last_entry);
    if ((*entry & ~UINT64_C(1)) == key) {
        return (int)(*entry & 1);
    }
    int end = (int)generate(game, pos, at);
    pos->work += end - at;
    int chooses = problem->steps[ply] & CHOOSES;
    int found = !chooses && end > at;
    for (int m = at; m < end && !problem->halt; m++) {
        int leads = leads_to(game, pos, problem, m, end, ply) != LEADS_NOWHERE;
        if (leads == (chooses != 0)) {
            found = leads;
            break;
        }
    }
    if (!problem->halt && ply + 1 < problem->plies) {
        *entry = key | (uint64_t)found;
    }
    return found && !problem->halt;
}

/* To ask of a move takes so many steps of work, where that is known. */
enum { STEPS_OF_ASKING = 64 };

int64_t leads(const Tables *game, Position *pos, Problem *problem, int m, int end, int ply) {
    int found = leads_to(game, pos, problem, m, end, ply);
    // A move of a solution is written, with what follows it, and takes as long as a position.
    pos->work += found == LEADS_NOWHERE ? STEPS_OF_ASKING : STEPS_OF_POSITION;
    halt_if_spent(pos, problem);
    return found;
}
