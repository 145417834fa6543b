/* Runs of the nodes of a piece: those whose conditions hold, and what a move by a node takes. */

/* The number of a side's turn, its next one if the other side is to move. */
static int turn_number_of(const Position *pos, int side) {
    return (pos->number + (side != pos->side) + 1) / 2;
}

/* Whether the conditions of a part on the piece's past, and its side's, hold. */
static int conditions_hold(const Tables *game, const Position *pos, const Part *part, int s) {
    int made = pos->made[s];
    if (made == DROPPED) {
        made = 0;
    }
    int listed = part->holds;
    if (listed) {
        for (int x = 0; x < game->pool[listed] / 2; x++) {
            int value = game->pool[listed + 2 + 2 * x];
            if (game->pool[listed + 1 + 2 * x] == MOVES_MADE) {
                if (made != value) {
                    return 0;
                }
            } else if (game->pool[listed + 1 + 2 * x] == TURN) {
                if (turn_number_of(pos, (pos->board[s] - 1) & 1) % value) {
                    return 0;
                }
            } else if (made != UNKNOWN && (made + 1) % value) {
                return 0;
            }
        }
    }
    return 1;
}

/* A run of the nodes of a piece; `part` is whose they are: without conditions they are of none. */
typedef struct {
    int at;
    int end;
    const Part *part;
    const Cell *cell;
    int next;            /* the number of the next part */
    int walked;          /* the place in `ends` of the next node of a part that roams */
    int ended, burdened; /* numbers in use of `ends` and `burdens` before */
    int ordered;         /* whether the ends of walks are brought into order */
} Run;

/* The nodes without conditions of the piece on a square: its first run. */
static inline Run first_run(const Tables *game, const Position *pos, int s) {
    const Cell *cell = cell_of(game, pos->board[s], s);
    return (Run){cell->begin, cell->end, NULL, cell, 0, pos->ended, pos->ended, pos->burdened, 0};
}

/* End a run of which no moves are kept. */
static inline void release_run(Position *pos, const Run *run) {
    pos->ended = run->ended;
    pos->burdened = run->burdened;
}

/* Walk the part of a run that roams: its nodes come one by one. */
static RARE void walk_run_part(const Tables *game, Position *pos, int s, Run *run) {
    walk_roaming_part(game, pos, s, run->part);
    if (run->ordered) {
        sort_move_ends(game, pos, s, run->ended);
    }
}

/* Whether there is another node of a part that roams. */
static RARE int next_walk_end(Position *pos, Run *run) {
    if (run->walked == pos->ended) {
        run->walked = pos->ended = run->ended;
        return 0;
    }
    run->at = pos->ends[run->walked];
    run->end = run->at + 1;
    run->walked++;
    return 1;
}

/* Go on to the nodes of the next part whose conditions hold; whether there is one. */
static inline int next_run(const Tables *game, Position *pos, int s, Run *run) {
    if (pos->ended != run->ended && next_walk_end(pos, run)) {
        return 1;
    }
    const int32_t *parts = game->pool + run->cell->parts;
    while (run->next < parts[0]) {
        run->part = (const Part *)(parts + 1) + run->next;
        run->next++;
        if (conditions_hold(game, pos, run->part, s)) {
            if (run->part->roams) {
                walk_run_part(game, pos, s, run);
                if (next_walk_end(pos, run)) {
                    return 1;
                }
                continue;
            }
            run->at = run->part->from;
            run->end = run->part->until;
            return 1;
        }
    }
    return 0;
}

/* How many of a form a move by a node leaves on the file that it goes to. */
static int count_left_on_file(const Tables *game, Position *pos, int form, int node, int origin,
                              int target) {
    int file = game->file_of[target];
    int there = pos->on_file[form * game->files + file];
    int count = has_large_pieces(game) && origin < game->size
                    ? list_captured_by_node(game, pos, origin, node, target)
                    : 0;
    for (int x = 0; x < count; x++) {
        there -= pos->board[pos->prey[x]] == form && game->file_of[pos->prey[x]] == file;
    }
    if (has_large_pieces(game)) {
        return there;
    }
    if (pos->board[target] == form) {
        there--;
    }
    const int32_t *c = captures_en_route(game, pos, node);
    for (int x = 0; x < c[0]; x++) {
        int q = nth_square_of_captures(game, pos, c, x);
        if (pos->board[q] == form && game->file_of[q] == file) {
            there--;
        }
    }
    return there;
}

/* Whether a form may arrive by a node without crowding a file; what it takes leaves room. */
static int fits_on_file(const Tables *game, Position *pos, int form, int node, int origin,
                        int target) {
    int limit = game->limit[form];
    if (is_large_piece(game, form) && origin < game->size &&
        !has_space_after_capture(game, pos, form, origin, node, target)) {
        return 0;
    }
    return !limit || game->file_of[origin] == game->file_of[target] ||
           count_left_on_file(game, pos, form, node, origin, target) < limit;
}

/* How many of a list of forms may arrive by a node without crowding a file. */
static int count_types_with_room(const Tables *game, Position *pos, int forms, int node, int origin,
                                 int target) {
    int count = 0;
    for (int x = 0; x < game->pool[forms]; x++) {
        count += fits_on_file(game, pos, game->pool[forms + 1 + x], node, origin, target);
    }
    return count;
}

/* Whether a node captures on a square before its last one. */
static int captures_en_route_on(const Tables *game, const Position *pos, int node, int square) {
    const int32_t *c = captures_en_route(game, pos, node);
    for (int x = 0; x < c[0]; x++) {
        if (nth_square_of_captures(game, pos, c, x) == square) {
            return 1;
        }
    }
    return 0;
}

/* Whether a piece that goes by a node captures anything. */
static int is_capturing_node(const Tables *game, Position *pos, int node, int origin, int target) {
    int on_way = captures_en_route(game, pos, node)[0];
    if (on_way || target == origin) {
        return on_way != 0;
    }
    return pos->shift[target] == PASSED ? is_en_passant_capture(game, pos, node, target)
                                        : pos->shift[target] != VACANT;
}

/* Whether a node would take what has just passed more than once, so that it makes no move. */
static RARE int captures_en_passant_twice(const Tables *game, const Position *pos, int node,
                                          int origin, int target) {
    if (node < 0 || !list_contains(game, game->taken[node], game->size)) {
        return 0;
    }
    const int32_t *c = captures_en_route(game, pos, node);
    int count = is_en_passant_capture(game, pos, node, target) ||
                (target != origin && target == pos->victim);
    for (int x = 0; x < c[0]; x++) {
        count += nth_square_of_captures(game, pos, c, x) == pos->victim;
    }
    return count > 1;
}
