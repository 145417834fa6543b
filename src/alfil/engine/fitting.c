/* Logistic regression: what explains best how games ended.

   The rows are those of src/alfil/engine/selfplay.c. A man on a square counts for up to two columns, for
   example its kind, and its kind on this square; for the second side it counts against them. Newton's
   method; the errors are made of what each game adds to the gradient, since its positions have one
   result (K.-Y. Liang and S. L. Zeger, 1986). */

/* Columns before those of the men: the first side, the side to move, moves more than the other side. */
enum { FIRST_SIDE, MOVER, MOVES_MORE, MEN_COLUMNS };
/* Log odds beyond this are as good as certain. */
static const double FARTHEST = 30.0;
/* What is in `scale`: log odds for what is known, by how much less a later search counts with each move, and
   the mean square of what was left of the games held out. */
enum { SCALE_KNOWN, SCALE_DECAY, SCALE_LEFT };

/* e to the power of a number between -30 and 30, so that no library is needed. */
static double exponential(double x) {
    double part = x / 64;
    double term = 1.0;
    double sum = 1.0;
    for (int n = 1; n < 12; n++) {
        term *= part / n;
        sum += term;
    }
    for (int n = 0; n < 6; n++) {
        sum *= sum;
    }
    return sum;
}

/* How likely the first side wins by the log odds. */
static double likelihood(double odds) {
    double within = odds < -FARTHEST ? -FARTHEST : odds > FARTHEST ? FARTHEST : odds;
    return 1 / (1 + exponential(-within));
}

/* Add to a column, and list it where it was not in use. */
static int add_amount(Fitting *fit, int count, int column, double amount) {
    int64_t place = fit->places[column];
    if (place < count && fit->used[place] == column) {
        fit->amounts[place] += amount;
        return count;
    }
    fit->places[column] = count;
    fit->used[count] = column;
    fit->amounts[count] = amount;
    return count + 1;
}

/* Add what a man counts for in one of the maps, where there is a column for it. */
static int add_man(Fitting *fit, int count, int32_t column) {
    if (!column) {
        return count;
    }
    int sign = column > 0 ? 1 : -1;
    return add_amount(fit, count, MEN_COLUMNS + sign * column - 1, sign);
}

/* Divide the amounts between the columns for much and for little material. */
static int divide_by_phase(Fitting *fit, int count, double full) {
    for (int x = count - 1; x >= 0; x--) {
        int column = fit->used[x];
        double amount = fit->amounts[x];
        fit->used[2 * x] = 2 * column;
        fit->used[2 * x + 1] = 2 * column + 1;
        fit->amounts[2 * x] = amount * full;
        fit->amounts[2 * x + 1] = amount * (1 - full);
    }
    return 2 * count;
}

/* The columns of a row with their amounts, in `used` and `amounts`; how many there are. `offset` is what
   is known before. */
static int read_row(Fitting *fit, const int32_t *row, double *offset) {
    int count = add_amount(fit, 0, FIRST_SIDE, 1);
    count = add_amount(fit, count, MOVER, row[ROW_MOVER]);
    count = add_amount(fit, count, MOVES_MORE, row[ROW_MORE]);
    int64_t known = row[ROW_MOVER] * fit->tempo + row[ROW_MORE] * fit->mobility;
    int64_t material = 0;
    for (int x = 0; x < row[ROW_MEN]; x++) {
        int man = row[ROW_HEAD + x];
        count = add_man(fit, count, fit->kind_columns[man]);
        count = add_man(fit, count, fit->square_columns[man]);
        known += fit->known[man];
        material += fit->material[man];
    }
    *offset = fit->scale[SCALE_KNOWN] * (double)known;
    if (fit->phases == 2) {
        double full = (double)material / fit->whole;
        count = divide_by_phase(fit, count, full < 1 ? full : 1);
    }
    return count;
}

/* How a game ended: 1 for a win of the first side, a half for a draw. */
static double points_of_row(const int32_t *row) {
    return (1 + row[ROW_RESULT]) / 2.0;
}

/* Say of each row what is to be explained: how the game ended, or in part what later searches said.

   What a row says itself counts for so much less than all behind it as `decay` to the power of the moves
   between them. */
static void set_targets(const Fitting *fit) {
    double target = 0;
    for (int64_t r = fit->rows_kept - 1; r >= 0; r--) {
        const int32_t *row = fit->rows + r * fit->width;
        const int32_t *next = row + fit->width;
        double own = likelihood(fit->scale[SCALE_KNOWN] * row[ROW_SCORE]);
        int is_last = r == fit->rows_kept - 1 || next[ROW_GAME] != row[ROW_GAME];
        if (is_last) {
            target = row[ROW_ENDED] || fit->scale[SCALE_DECAY] == 1 ? points_of_row(row) : own;
        } else {
            double share = 1;
            for (int ply = row[ROW_PLY]; ply < next[ROW_PLY]; ply++) {
                share *= fit->scale[SCALE_DECAY];
            }
            target = share * target + (1 - share) * own;
        }
        fit->targets[r] = target;
    }
}

/* What is left to explain of a row, once its columns are read. */
static double residual(const Fitting *fit, double target, int count, double offset, double *weight) {
    double odds = offset;
    for (int x = 0; x < count; x++) {
        odds += fit->coefficients[fit->used[x]] * fit->amounts[x];
    }
    double likely = likelihood(odds);
    *weight = likely * (1 - likely);
    return target - likely;
}

/* Whether a row is one of those to explain. */
static int is_wanted(const Fitting *fit, const int32_t *row) {
    int held_out = fit->hold_out && row[ROW_GAME] % fit->hold_out == 0;
    return row[ROW_GAME] >= fit->first_game && (fit->drawn || row[ROW_RESULT]) &&
           held_out == fit->holding;
}

/* The gradient and the information of all rows; the mean square of what they leave. */
static double gather_rows(Fitting *fit) {
    int64_t columns = fit->columns;
    double squares = 0;
    fit->positions = 0;
    for (int64_t x = 0; x < columns; x++) {
        fit->gradient[x] = -fit->ridge[x] * fit->coefficients[x];
        for (int64_t y = 0; y <= x; y++) {
            fit->information[x * columns + y] = x == y ? fit->ridge[x] : 0;
        }
    }
    for (int64_t r = 0; r < fit->rows_kept; r++) {
        const int32_t *row = fit->rows + r * fit->width;
        if (!is_wanted(fit, row)) {
            continue;
        }
        double offset;
        double weight;
        int count = read_row(fit, row, &offset);
        double left = residual(fit, fit->targets[r], count, offset, &weight);
        double missed = left + points_of_row(row) - fit->targets[r];
        squares += missed * missed;
        fit->positions++;
        for (int x = 0; x < count; x++) {
            int column = fit->used[x];
            fit->gradient[column] += left * fit->amounts[x];
            double *line = fit->information + column * columns;
            double heavy = weight * fit->amounts[x];
            for (int y = 0; y < count; y++) {
                // Only one half of the matrix is read.
                line[fit->used[y]] += heavy * fit->amounts[y];
            }
        }
    }
    return fit->positions ? squares / (double)fit->positions : 0;
}

/* Take the information apart as L D Lᵗ, in its place. */
static void factorise(Fitting *fit) {
    int64_t columns = fit->columns;
    double *matrix = fit->information;
    for (int64_t x = 0; x < columns; x++) {
        double *line = matrix + x * columns;
        double left = line[x];
        for (int64_t y = 0; y < x; y++) {
            const double *other = matrix + y * columns;
            double sum = line[y];
            for (int64_t z = 0; z < y; z++) {
                sum -= line[z] * other[z];
            }
            line[y] = sum;
        }
        for (int64_t y = 0; y < x; y++) {
            double scaled = line[y] / matrix[y * columns + y];
            left -= scaled * line[y];
            line[y] = scaled;
        }
        line[x] = left;
    }
}

/* Solve for a vector, in its place, once the information was taken apart. */
static void solve(const Fitting *fit, double *vector) {
    int64_t columns = fit->columns;
    const double *matrix = fit->information;
    for (int64_t x = 0; x < columns; x++) {
        for (int64_t y = 0; y < x; y++) {
            vector[x] -= matrix[x * columns + y] * vector[y];
        }
    }
    for (int64_t x = 0; x < columns; x++) {
        vector[x] /= matrix[x * columns + x];
    }
    for (int64_t x = columns - 1; x >= 0; x--) {
        for (int64_t y = 0; y < x; y++) {
            vector[y] -= matrix[x * columns + y] * vector[x];
        }
    }
}

/* Add the products of what one game adds to each of the coefficients that are asked for. */
static void add_game(Fitting *fit, double *shares) {
    for (int x = 0; x < fit->asked; x++) {
        for (int y = 0; y < fit->asked; y++) {
            fit->covariances[x * fit->asked + y] += shares[x] * shares[y];
        }
    }
    for (int x = 0; x < fit->asked; x++) {
        shares[x] = 0;
    }
}

/* The covariances of the first coefficients, were as many other games played. */
static void find_covariances(Fitting *fit) {
    int64_t columns = fit->columns;
    double *shares = fit->gradient;
    for (int64_t x = 0; x < fit->asked; x++) {
        double *line = fit->inverse + x * columns;
        for (int64_t y = 0; y < columns; y++) {
            line[y] = x == y;
        }
        solve(fit, line);
        shares[x] = 0;
    }
    int game = -1;
    for (int64_t r = 0; r < fit->rows_kept; r++) {
        const int32_t *row = fit->rows + r * fit->width;
        if (!is_wanted(fit, row)) {
            continue;
        }
        if (row[ROW_GAME] != game) {
            add_game(fit, shares);
            game = row[ROW_GAME];
        }
        double offset;
        double weight;
        int count = read_row(fit, row, &offset);
        double left = residual(fit, fit->targets[r], count, offset, &weight);
        for (int64_t x = 0; x < fit->asked; x++) {
            const double *line = fit->inverse + x * columns;
            double sum = 0;
            for (int y = 0; y < count; y++) {
                sum += line[fit->used[y]] * fit->amounts[y];
            }
            shares[x] += left * sum;
        }
    }
    add_game(fit, shares);
}

int64_t fit_results(const Tables *game, Position *pos, Fitting *fit) {
    (void)game;
    (void)pos;
    int steps = 0;
    set_targets(fit);
    for (double largest = 1; steps < fit->most_steps && largest > 1e-6; steps++) {
        gather_rows(fit);
        factorise(fit);
        solve(fit, fit->gradient);
        largest = 0;
        for (int x = 0; x < fit->columns; x++) {
            double step = fit->gradient[x];
            fit->coefficients[x] += step;
            largest = step > largest ? step : -step > largest ? -step : largest;
        }
    }
    if (fit->asked) {
        find_covariances(fit);
    }
    fit->holding = fit->hold_out != 0;
    int64_t positions = fit->positions;
    fit->scale[SCALE_LEFT] = gather_rows(fit);
    fit->positions = positions;
    fit->holding = 0;
    return steps;
}
