/* The whole engine as one program, so that the compiler sees all of it at once. */

#include "board.c"
#include "layout.c"
#include "effects.c"
#include "position.c"
#include "attacks.c"
#include "legality.c"
#include "drops.c"
#include "movegen.c"
#include "results.c"
#include "perft.c"
#include "differences.c"
#include "search.c"
