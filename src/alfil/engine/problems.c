/* Chess problems: whether a stipulation can be fulfilled from a position.

   A stipulation is a list of plies. On each, the side to move either chooses, or every move of its
   own has to lead on; after a ply of a series the same side moves again, and may not have given
   check. The goal is reached by the last move, or by an earlier one of a ply that may end. */

/* What the last move has to bring about. */
static int reaches_goal(const Tables *game, Position *pos, const Problem *problem, int at) {
    const Ply *last = pos->line + pos->past;
    switch (problem->goal) {
    case GOAL_CAPTURE:
        return last_undo_record(pos)[0] != 0;
    case GOAL_SQUARE:
        return last->move.target == problem->square;
    case GOAL_WIN: {
        LegalMoves replies = list_or_count_moves(game, pos, at);
        pos->work += replies.free - at;
        add_en_passant_to_key(game, pos, &replies);
        int found = game_result(game, pos, &replies, 0);
        return found && found % WINNERS == 1 - pos->side;
    }
    }
    int checked = problem->goal != GOAL_NO_MOVE && is_in_check(game, pos, pos->side);
    switch (problem->goal) {
    case GOAL_CHECK:
        return checked;
    case GOAL_MATE:
        return checked && !has_legal_move(game, pos, at);
    case GOAL_STALEMATE:
        return !checked && !has_legal_move(game, pos, at);
    }
    return !has_legal_move(game, pos, at);
}

/* Whether nothing can follow: there is no room for it, or the game has ended by a rule. */
static int is_line_over(const Tables *game, Position *pos, Problem *problem, int at) {
    if (at > pos->last_listed - problem->longest || pos->past >= pos->last_past) {
        problem->halt = 1;
    }
    return problem->halt || quick_result(game, pos, at);
}

static int can_be_solved(const Tables *game, Position *pos, Problem *problem, int at, int ply);

/* Whether the move just made leads on; a series goes on with the same side. */
static int leads_on(const Tables *game, Position *pos, Problem *problem, int at, int ply) {
    int series = problem->steps[ply] & IN_SERIES;
    if (ply + 1 == problem->plies || is_line_over(game, pos, problem, at)) {
        return 0;
    }
    if (!series) {
        return can_be_solved(game, pos, problem, at, ply + 1);
    }
    if (is_in_check(game, pos, pos->side)) {
        return 0;
    }
    Ply *last = pos->line + pos->past;
    uint64_t board = last->board, before = turn_phase_key(game, pos);
    LapsedRights lapsed = pass_turn(pos);
    // Equal positions have one key, however many moves have led to them.
    last->board =
        (board + (uint64_t)(2 * pos->side - 1) + turn_phase_key(game, pos) - before) & MASK;
    int found = can_be_solved(game, pos, problem, at, ply + 1);
    take_back_pass(pos, lapsed);
    last->board = board;
    return found;
}

/* To try a move takes so many steps of work, to ask of one for a solution so many. */
enum { STEPS_OF_TRYING = 16, STEPS_OF_ASKING = 64 };

/* What the move at m of a list that ends at `at` does on a ply: nothing, reach the goal, lead on. */
static int try_problem_move(const Tables *game, Position *pos, Problem *problem, int m, int at,
                            int ply) {
    int checks = problem->steps[ply] & GIVES_CHECK;
    make_line_move(game, pos, m);
    pos->work += STEPS_OF_TRYING;
    int found = LEADS_NOWHERE;
    if (pos->unmade) {
        problem->halt = 1;
    } else if (!checks || is_in_check(game, pos, pos->side)) {
        if ((problem->steps[ply] & MAY_END) && reaches_goal(game, pos, problem, at)) {
            found = LEADS_TO_GOAL;
        } else if (leads_on(game, pos, problem, at, ply)) {
            found = LEADS_ON;
        }
    }
    unmake_line_move_at(game, pos, m);
    return found;
}

/* The entry of a position with so many plies to go: one number, which ends with the answer. It holds
   as well for shorter stipulations, whose plies are the last ones of this. */
static uint64_t problem_entry_key(const Position *pos, int plies) {
    return (transposition_key(pos) + hash_number((uint64_t)plies + 1)) << 1 & ~UINT64_C(1);
}

/* Halt where so much work, or so many positions, are more than allowed. */
static void halt_over_limit(const Position *pos, Problem *problem) {
    if (positions_worth_of_work(pos, problem->visited) > problem->allowed) {
        problem->halt = 1;
    }
}

/* Whether the side to move can, or has to, bring about the goal from this ply on. */
static int can_be_solved(const Tables *game, Position *pos, Problem *problem, int at, int ply) {
    problem->visited++;
    halt_over_limit(pos, problem);
    uint64_t key = problem_entry_key(pos, problem->plies - ply);
    uint64_t *entry = problem->entries + ((key >> 1) & (uint64_t)problem->last_entry);
    if ((*entry & ~UINT64_C(1)) == key) {
        return (int)(*entry & 1);
    }
    int end = (int)generate_legal_moves(game, pos, at);
    pos->work += end - at;
    int chooses = problem->steps[ply] & CHOOSES;
    int found = !chooses && end > at;
    for (int m = at; m < end && !problem->halt; m++) {
        int leads = try_problem_move(game, pos, problem, m, end, ply) != LEADS_NOWHERE;
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

int64_t try_solution_move(const Tables *game, Position *pos, Problem *problem, int m, int end,
                          int ply) {
    int found = try_problem_move(game, pos, problem, m, end, ply);
    // A move of a solution is written, with what follows it, and takes as long as a position.
    pos->work += found == LEADS_NOWHERE ? STEPS_OF_ASKING : STEPS_OF_POSITION;
    halt_over_limit(pos, problem);
    return found;
}
