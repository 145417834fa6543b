/* A move table of a piece cut to one square: what src/alfil/game/move_layout.py asks to lay out a cell.

   A node of a table (src/alfil/tables/move_table.py) is step << 12 | two masks over what stands on a
   square, by which the path goes on and ends there; `steps` are files and ranks by number. */

/* Where the parts of such a node begin, what masks them, and the class of what is off the board. */
enum { STEP_AT = 12, PASSES_AT = 6, CLASS_MASK = 63, OFF_BOARD = 32, OWN_SIDE = 8, ROYAL_THERE = 4 };
/* What stands in `bounds`: nodes on all squares, nodes by which moves end, these on all squares, whether
   any captures its own side, and the most of them that end on one square. */
enum { ALL_NODES, ENDING, ALL_ENDING, TAKING_OWN, MOST_TOGETHER };
/* What stands in `area`: how many files and ranks the piece's own square may be on, how many come
   before them, how many files the board has, and the file and the rank of the square. */
enum { AREA_FILES, AREA_RANKS, AREA_WEST, AREA_SOUTH, AREA_WIDTH, AT_FILE, AT_RANK };
/* What stands in `arriving` by node: the numbers of forms without a capture and with one; whether the
   move captures en passant; and whether its path has gone over a piece. */
enum { ARRIVES_TAKING = 3, ARRIVES_PASSANT = 64, ARRIVES_JUMPED = 128 };

/* The square at a step from one, -1 where the piece's own square may not be on it. */
static int square_after_step(const int32_t *area, const int32_t *step) {
    int file = area[AT_FILE] + step[0];
    int rank = area[AT_RANK] + step[1];
    int x = file - area[AREA_WEST];
    int y = rank - area[AREA_SOUTH];
    int inside = x >= 0 && x < area[AREA_FILES] && y >= 0 && y < area[AREA_RANKS];
    return inside ? rank * area[AREA_WIDTH] + file : -1;
}

int64_t cut_table_to_square(const uint32_t *words, const int32_t *skips, const int32_t *steps,
                            int count, const int32_t *area, int32_t *out) {
    int32_t *after = out + count;
    int32_t *placed = out + 2 * count;
    int kept = 0;
    int node = 0;
    while (node < count) {
        int square = square_after_step(area, steps + 2 * (words[node] >> STEP_AT));
        int end = node + 1;
        if (square >= 0 || words[node] & OFF_BOARD) {
            out[kept] = square * (1 << STEP_AT) + (int32_t)(words[node] & ((1 << STEP_AT) - 1));
            after[kept] = skips[node];
            placed[node] = kept;
            kept++;
        } else {
            end = skips[node];
            for (int n = node; n < end; n++) {
                placed[n] = kept;
            }
        }
        node = end;
    }
    placed[count] = kept;
    for (int n = 0; n < kept; n++) {
        after[n] = placed[after[n]];
    }
    return kept;
}

/* How many squares of a line of so many have one on the line that is some steps away. */
static int count_squares_with_target(int steps, int length) {
    int left = length - (steps < 0 ? -steps : steps);
    return left < 0 ? 0 : left;
}

void measure_table(const uint32_t *words, const int32_t *steps, int count, int files, int ranks,
                   int32_t *ends, int32_t *lines, int64_t *bounds) {
    int width = 2 * files - 1;
    for (int n = 0; n < count; n++) {
        const int32_t *step = steps + 2 * (words[n] >> STEP_AT);
        int inside =
            count_squares_with_target(step[0], files) * count_squares_with_target(step[1], ranks);
        int squares = words[n] & OFF_BOARD ? files * ranks : inside;
        int emits = (int)(words[n] & (CLASS_MASK & ~OFF_BOARD));
        bounds[ALL_NODES] += squares;
        if (emits) {
            bounds[ENDING]++;
            bounds[ALL_ENDING] += squares;
            bounds[TAKING_OWN] |= emits & OWN_SIDE;
        }
        if (emits && inside) {
            int column = step[0] + files - 1;
            int row = step[1] + ranks - 1;
            int32_t *end = ends + row * width + column;
            end[0]++;
            bounds[MOST_TOGETHER] = end[0] > bounds[MOST_TOGETHER] ? end[0] : bounds[MOST_TOGETHER];
            lines[column]++;
            lines[width + row]++;
        }
    }
}

void mark_royal_attack_offsets(const uint32_t *words, const int32_t *steps, int count, int files,
                               int ranks, uint8_t *row) {
    for (int n = 0; n < count; n++) {
        const int32_t *step = steps + 2 * (words[n] >> STEP_AT);
        if (words[n] & ROYAL_THERE && count_squares_with_target(step[0], files) &&
            count_squares_with_target(step[1], ranks)) {
            row[(step[1] + ranks - 1) * (2 * files - 1) + step[0] + files - 1] = 1;
        }
    }
}

/* In how many forms the piece may arrive by a node where something of a class stands. */
static int count_piece_types_on_class(int arrival, int shift) {
    int quiet = (shift == VACANT || shift == PASSED) && !(arrival & ARRIVES_PASSANT);
    return (quiet ? arrival : arrival >> ARRIVES_TAKING) & FORMS;
}

void write_nodes(const int32_t *words, const int32_t *skips, int count, const int32_t *classes,
                 const int32_t *arrivals, uint64_t *nodes) {
    int choosy = classes[CLASSES];
    for (int n = 0; n < count; n++) {
        uint64_t word = (uint64_t)(skips[n] - n) << SKIP_AT | (uint64_t)(words[n] >> STEP_AT);
        for (int x = 0; x < CLASSES; x++) {
            int shift = VACANT + 4 * x;
            int apart = choosy && shift >= FIRST_APART;
            // What may not be jumped over is captured where it comes first, and never passed.
            int ends = words[n] & classes[x] && !(apart && arrivals[n] & ARRIVES_JUMPED);
            int passes = words[n] >> PASSES_AT & classes[x] && !apart;
            uint64_t bits = (uint64_t)((ends ? count_piece_types_on_class(arrivals[n], shift) : 0) |
                                       (passes ? ON : 0));
            word |= bits << shift;
        }
        nodes[n] = word;
    }
}

/* A branch that may capture a royal on a square: its first node and the one after the last that does,
   and the strike before it there. */
typedef struct {
    int32_t square, first, until, earlier;
} RoyalCapture;

/* Note that a node of a branch may capture a royal on a square; the number of the next strike. */
static int add_royal_capture(RoyalCapture *strikes, int next, int32_t *row, int square, int branch,
                             int node) {
    int last = row[square];
    if (last && strikes[last].first == branch) {
        strikes[last].until = node + 1;
        return next;
    }
    strikes[next] = (RoyalCapture){square, branch, node + 1, last};
    row[square] = next;
    return next + 1;
}

/* Write the list of the branches that end with a strike; its length. */
static int write_branches(const RoyalCapture *strikes, int last, int first, int32_t *list) {
    int count = 0;
    for (int n = last; n; n = strikes[n].earlier) {
        count++;
    }
    list[0] = count;
    for (int n = last, x = count; n; n = strikes[n].earlier, x--) {
        list[2 * x - 1] = first + strikes[n].first;
        list[2 * x] = first + strikes[n].until;
    }
    return 1 + 2 * count;
}

int64_t list_royal_attack_branches(const uint64_t *nodes, const int32_t *parts,
                                   const int32_t *captured, int royal, int first, int place,
                                   int32_t *row, int32_t *work, int32_t *out) {
    RoyalCapture *strikes = (RoyalCapture *)work;
    int next = 1;
    for (; parts[0] >= 0; parts += 2) {
        int branch = parts[0];
        int until = branch;
        for (int n = parts[0]; n < parts[1]; n++) {
            if (n == until) {
                branch = n;
                until = n + (int)(nodes[n] >> SKIP_AT & SKIPS);
            }
            if (nodes[n] >> royal & FORMS) {
                next = add_royal_capture(strikes, next, row, (int)(nodes[n] & SQUARE), branch, n);
            }
            for (; captured[0] == n; captured += 2) {
                next = add_royal_capture(strikes, next, row, captured[1], branch, n);
            }
        }
    }
    int length = 0;
    for (int n = 1; n < next; n++) {
        if (!strikes[n].earlier) {
            int last = row[strikes[n].square];
            row[strikes[n].square] = place + length;
            length += write_branches(strikes, last, first, out + length);
        }
    }
    return length;
}
