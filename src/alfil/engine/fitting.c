/* Logistic regression: what explains best how games ended.

   The rows are those of src/alfil/engine/selfplay.c. A man on a square counts for up to two columns, for
   example its kind, and its kind on this square; for the second side it counts against them. So do terms.
   Newton's method, whose steps conjugate gradients find, so that there is no matrix of all columns. The
   errors are made of what each game adds to the gradient, since its positions have one result (K.-Y.
   Liang and S. L. Zeger, 1986). */

/* Columns before those of the men: the first side, and the side to move. */
enum { FIRST_SIDE, MOVER, MEN_COLUMNS };
/* Log odds beyond this are as good as certain. */
static const double FARTHEST = 30.0;
/* What is in `scale`: log odds for what is known, by how much less a later search counts with each move, 
   the mean square of what was left of the games held out, and how strongly what leads count is drawn to 1. */
enum { SCALE_KNOWN, SCALE_DECAY, SCALE_LEFT, SCALE_STRICT };
/* Conjugate gradients end where what is left of a vector is so much of it, squared, or after so many
   steps. */
static const double SMALL_REST = 1e-10;
static const double STEP_REST = 1e-5; /* a step is tried again, so it need not be exact */
enum { MOST_GRADIENTS = 400 };
/* Newton's method ends where no coefficient moves more. */
static const double SMALL_STEP = 1e-3;
/* What leads count is found beside the coefficients in the first steps alone: after these little changes, and
   both together would come to rest in many. */
enum { SCALING_STEPS = 4 };

/* A row once it is read: its columns are in `used`. */
typedef struct {
    int count;
    double mover;
    double full;   /* how much of the material there is */
    double offset; /* log odds that are known before */
    int advancing[2]; /* how many pieces of each side gain by going to where they promote */
} RowColumns;

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
static double win_probability(double odds) {
    double within = odds < -FARTHEST ? -FARTHEST : odds > FARTHEST ? FARTHEST : odds;
    return 1 / (1 + exponential(-within));
}

/* The columns of a row. */
static RowColumns read_row(Fitting *fit, const int32_t *row) {
    int count = 0;
    int end = ROW_HEAD + row[ROW_MEN];
    int64_t known = row[ROW_MOVER] * fit->tempo;
    int64_t material = 0;
    RowColumns read = {.mover = row[ROW_MOVER]};
    for (int x = ROW_HEAD; x < end; x++) {
        int man = row[x];
        read.advancing[0] += fit->advancing[man] > 0;
        read.advancing[1] += fit->advancing[man] < 0;
        fit->used[count] = fit->kind_columns[man];
        count += fit->used[count] != 0;
        fit->used[count] = fit->square_columns[man];
        count += fit->used[count] != 0;
        known += fit->known[man];
        material += fit->material[man];
    }
    for (int x = end; x < row[ROW_LENGTH]; x++) {
        int term = row[x];
        fit->used[count++] = term < 0 ? term - fit->terms : term + fit->terms;
        known += term < 0 ? -fit->known_terms[-1 - term] : fit->known_terms[term - 1];
    }
    double full = fit->phases == 2 ? (double)material / fit->whole : 1;
    read.count = count;
    read.full = full < 1 ? full : 1;
    read.offset = fit->scale[SCALE_KNOWN] * (double)known;
    return read;
}

/* The sum of a vector's numbers in the columns of a row. */
static double sum_columns(const Fitting *fit, const RowColumns *row, const double *vector) {
    double sum = 0;
    for (int phase = 0; phase < fit->phases; phase++) {
        double part = vector[FIRST_SIDE * fit->phases + phase] + row->mover * vector[MOVER * fit->phases + phase];
        for (int x = 0; x < row->count; x++) {
            int column = fit->used[x];
            part += column < 0 ? -vector[(MEN_COLUMNS - 1 - column) * fit->phases + phase]
                               : vector[(MEN_COLUMNS - 1 + column) * fit->phases + phase];
        }
        sum += part * (phase ? 1 - row->full : row->full);
    }
    return sum;
}

/* Add so much to a vector in each column of a row. */
static void add_columns(const Fitting *fit, const RowColumns *row, double amount, double *vector) {
    for (int phase = 0; phase < fit->phases; phase++) {
        double part = amount * (phase ? 1 - row->full : row->full);
        vector[FIRST_SIDE * fit->phases + phase] += part;
        vector[MOVER * fit->phases + phase] += row->mover * part;
        for (int x = 0; x < row->count; x++) {
            int column = fit->used[x];
            if (column < 0) {
                vector[(MEN_COLUMNS - 1 - column) * fit->phases + phase] -= part;
            } else {
                vector[(MEN_COLUMNS - 1 + column) * fit->phases + phase] += part;
            }
        }
    }
}

/* Add to a vector what a row has of the diagonal, nearly: as if no column were used twice. */
static void add_diagonal(const Fitting *fit, const RowColumns *row, double weight, double *vector) {
    for (int phase = 0; phase < fit->phases; phase++) {
        double share = phase ? 1 - row->full : row->full;
        double part = weight * share * share;
        vector[FIRST_SIDE * fit->phases + phase] += part;
        vector[MOVER * fit->phases + phase] += part;
        for (int x = 0; x < row->count; x++) {
            int column = fit->used[x] < 0 ? -fit->used[x] : fit->used[x];
            vector[(MEN_COLUMNS - 1 + column) * fit->phases + phase] += part;
        }
    }
}

/* What the lead counts in a row whose log odds are these as long as all leads count alike. */
static double *lead_scale_of(const Fitting *fit, const RowColumns *row, double odds) {
    int count = row->advancing[odds < 0];
    return fit->lead_scale + (count < LEADS ? count : LEADS - 1);
}

/* How a game ended: 1 for a win of the first side, a half for a draw. */
static double game_points_of_row(const int32_t *row) {
    return (1 + row[ROW_RESULT]) / 2.0;
}

/* Say of each row what is to be explained: how the game ended, or in part what later searches said.

   What a row says itself counts for so much less than all behind it as `decay` to the power of the moves
   between them. */
static void set_targets(const Fitting *fit) {
    double target = 0;
    for (int64_t r = fit->rows_kept - 1; r >= 0; r--) {
        const int32_t *row = fit->rows + fit->starts[r];
        const int32_t *next = row + row[ROW_LENGTH];
        double own = win_probability(fit->scale[SCALE_KNOWN] * row[ROW_SCORE]);
        int is_last = r == fit->rows_kept - 1 || next[ROW_GAME] != row[ROW_GAME];
        if (is_last) {
            target = row[ROW_ENDED] || fit->scale[SCALE_DECAY] == 1 ? game_points_of_row(row) : own;
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

/* Whether a row is one of those to explain. */
static int is_fitted_row(const Fitting *fit, const int32_t *row) {
    int held_out = fit->hold_out && row[ROW_GAME] % fit->hold_out == 0;
    return row[ROW_GAME] >= fit->first_game && (fit->drawn || row[ROW_RESULT]) &&
           held_out == fit->holding;
}

/* The gradient, the diagonal of the information and the weights of all rows; the mean square of what
   they leave. */
static double compute_gradient(Fitting *fit) {
    double squares = 0;
    fit->positions = 0;
    for (int x = 0; x < fit->columns; x++) {
        fit->gradient[x] = -fit->ridge[x] * fit->coefficients[x];
        fit->diagonal[x] = fit->ridge[x];
    }
    for (int x = 0; x < LEADS; x++) {
        fit->lead_scale[LEADS + x] = fit->scale[SCALE_STRICT] * (1 - fit->lead_scale[x]);
        fit->lead_scale[2 * LEADS + x] = fit->scale[SCALE_STRICT];
    }
    for (int64_t r = 0; r < fit->rows_kept; r++) {
        const int32_t *row = fit->rows + fit->starts[r];
        fit->weights[r] = 0;
        if (!is_fitted_row(fit, row)) {
            continue;
        }
        RowColumns columns = read_row(fit, row);
        double odds = columns.offset + sum_columns(fit, &columns, fit->coefficients);
        double *scale = lead_scale_of(fit, &columns, odds);
        double likely = win_probability(*scale * odds);
        double missed = game_points_of_row(row) - likely;
        double weight = likely * (1 - likely);
        squares += missed * missed;
        fit->positions++;
        scale[LEADS] += odds * (fit->targets[r] - likely);
        scale[2 * LEADS] += odds * odds * weight;
        fit->weights[r] = *scale * *scale * weight;
        add_columns(fit, &columns, *scale * (fit->targets[r] - likely), fit->gradient);
        add_diagonal(fit, &columns, fit->weights[r], fit->diagonal);
    }
    return fit->positions ? squares / (double)fit->positions : 0;
}

/* What the information makes of the direction, in `image`; the product of both. */
static double multiply_by_information(Fitting *fit) {
    for (int x = 0; x < fit->columns; x++) {
        fit->image[x] = fit->ridge[x] * fit->direction[x];
    }
    for (int64_t r = 0; r < fit->rows_kept; r++) {
        if (fit->weights[r] > 0) {
            RowColumns columns = read_row(fit, fit->rows + fit->starts[r]);
            double sum = fit->weights[r] * sum_columns(fit, &columns, fit->direction);
            add_columns(fit, &columns, sum, fit->image);
        }
    }
    double product = 0;
    for (int x = 0; x < fit->columns; x++) {
        product += fit->direction[x] * fit->image[x];
    }
    return product;
}

/* What is left of the vector, squared, each number by the diagonal. */
static double squared_residual(const Fitting *fit) {
    double sum = 0;
    for (int x = 0; x < fit->columns; x++) {
        sum += fit->rest[x] * fit->rest[x] / fit->diagonal[x];
    }
    return sum;
}

/* Find in `step` what the information makes a vector of, by conjugate gradients, but for a small rest. */
static void solve_by_conjugate_gradients(Fitting *fit, const double *vector, double tolerance) {
    for (int x = 0; x < fit->columns; x++) {
        fit->step[x] = 0;
        fit->rest[x] = vector[x];
        fit->direction[x] = vector[x] / fit->diagonal[x];
    }
    double left = squared_residual(fit);
    double enough = tolerance * left;
    for (int n = 0; n < MOST_GRADIENTS && left > enough; n++) {
        double length = left / multiply_by_information(fit);
        for (int x = 0; x < fit->columns; x++) {
            fit->step[x] += length * fit->direction[x];
            fit->rest[x] -= length * fit->image[x];
        }
        double now = squared_residual(fit);
        for (int x = 0; x < fit->columns; x++) {
            fit->direction[x] = fit->rest[x] / fit->diagonal[x] + now / left * fit->direction[x];
        }
        left = now;
    }
}

/* Add the products of what one game adds to each of the coefficients that are asked for. */
static void add_game_covariances(Fitting *fit, double *shares) {
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
    double *shares = fit->image;
    for (int64_t x = 0; x < fit->asked; x++) {
        for (int64_t y = 0; y < columns; y++) {
            fit->gradient[y] = x == y;
        }
        solve_by_conjugate_gradients(fit, fit->gradient, SMALL_REST);
        for (int64_t y = 0; y < columns; y++) {
            fit->inverse[x * columns + y] = fit->step[y];
        }
    }
    for (int x = 0; x < fit->asked; x++) {
        shares[x] = 0;
    }
    int game = -1;
    for (int64_t r = 0; r < fit->rows_kept; r++) {
        const int32_t *row = fit->rows + fit->starts[r];
        if (!is_fitted_row(fit, row)) {
            continue;
        }
        if (row[ROW_GAME] != game) {
            add_game_covariances(fit, shares);
            game = row[ROW_GAME];
        }
        RowColumns read = read_row(fit, row);
        double likely = win_probability(read.offset + sum_columns(fit, &read, fit->coefficients));
        for (int64_t x = 0; x < fit->asked; x++) {
            shares[x] += (fit->targets[r] - likely) * sum_columns(fit, &read, fit->inverse + x * columns);
        }
    }
    add_game_covariances(fit, shares);
}

int64_t fit_results(const Tables *game, Position *pos, Fitting *fit) {
    (void)game;
    (void)pos;
    int steps = 0;
    set_targets(fit);
    for (double largest = 1; steps < fit->most_steps && largest > SMALL_STEP; steps++) {
        compute_gradient(fit);
        solve_by_conjugate_gradients(fit, fit->gradient, STEP_REST);
        largest = 0;
        for (int x = 0; x < fit->columns; x++) {
            double step = fit->step[x];
            fit->coefficients[x] += step;
            largest = step > largest ? step : -step > largest ? -step : largest;
        }
        if (fit->scaling && steps < SCALING_STEPS) {
            compute_gradient(fit);
            for (int x = 0; x < LEADS; x++) {
                fit->lead_scale[x] += fit->lead_scale[LEADS + x] / fit->lead_scale[2 * LEADS + x];
            }
        }
    }
    if (fit->asked) {
        compute_gradient(fit);
        find_covariances(fit);
    }
    fit->holding = fit->hold_out != 0;
    int64_t positions = fit->positions;
    fit->scale[SCALE_LEFT] = compute_gradient(fit);
    fit->positions = positions;
    fit->holding = 0;
    return steps;
}
