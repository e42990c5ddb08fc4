/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether two blocks in nested loops have a common byte. The loops of both are compared from the
 * largest stride to the smallest; at each level, only the copies whose bounds meet matter. */
#include "bytes/ranges/nest.h"

/* One of the two: its loops, and for the innermost k of them the number of bytes from first to last
 * and the greatest common divisor of the strides. */
struct side {
    const struct ork_nest *nest;
    int64_t width[ORK_NEST_DIMS + 1];
    int64_t divisor[ORK_NEST_DIMS + 1];
};

struct meeting {
    struct side a, b;
    int64_t *steps;
    struct ork_common *common;
};

/* The innermost `dims` loops of a side, with their first byte at `low`. */
struct part {
    const struct side *side;
    int64_t low;
    uint32_t dims;
};

static int64_t gcd(int64_t a, int64_t b)
{
    while (b != 0) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* Divisor > 0; rounded down. */
static int64_t floor_div(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

static int64_t floor_mod(int64_t a, int64_t b)
{
    int64_t rest = a % b;

    return rest < 0 ? rest + b : rest;
}

static int64_t min(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t max(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static void set_side(struct side *side, const struct ork_nest *nest)
{
    side->nest = nest;
    side->width[0] = nest->length;
    side->divisor[0] = 0;
    for (uint32_t k = 0; k < nest->num_dims; k++) {
        side->width[k + 1] = side->width[k] + (nest->dim[k].count - 1) * nest->dim[k].stride;
        side->divisor[k + 1] = gcd(nest->dim[k].stride, side->divisor[k]);
    }
}

static int64_t width_of(const struct part *p)
{
    return p->side->width[p->dims];
}

static int64_t block_of(const struct part *p)
{
    return p->side->nest->length;
}

/* The outermost loop. */
static const struct ork_dim *loop_of(const struct part *p)
{
    return &p->side->nest->dim[p->dims - 1];
}

/* Copy i of the outermost loop. */
static struct part copy_of(const struct part *p, int64_t i)
{
    return (struct part){p->side, p->low + i * loop_of(p)->stride, p->dims - 1};
}

/* The copies of the outermost loop whose bounds meet low .. high - 1: first .. last. */
struct copies {
    int64_t first, last;
};

static struct copies copies_near(const struct part *p, int64_t low, int64_t high)
{
    int64_t stride = loop_of(p)->stride;
    int64_t width = p->side->width[p->dims - 1];

    return (struct copies){
        .first = max(0, floor_div(low - p->low - width, stride) + 1),
        .last = min(loop_of(p)->count - 1, floor_div(high - 1 - p->low, stride)),
    };
}

static enum ork_answer meet_blocks(const struct meeting *m, int64_t a, int64_t b)
{
    m->common->low = max(a, b);
    m->common->high = min(a + m->a.nest->length, b + m->b.nest->length);
    return m->common->low < m->common->high ? ORK_YES : ORK_NO;
}

/* The smallest x >= 0 with low <= a * x mod m <= high; x < 0: there is none. The product passes m
 * `wraps` times. */
struct hit {
    int64_t x, wraps;
};

/* For 0 <= a < m and 0 < low <= high < m; as Euclid's algorithm. */
static struct hit first_hit(int64_t a, int64_t m, int64_t low, int64_t high)
{
    struct hit hit;
    int64_t x;

    if (a == 0)
        return (struct hit){-1, 0};
    if (a > m / 2) { /* a * x = (x - wraps) * m - (m - a) * x, modulo m */
        hit = first_hit(m - a, m, m - high, m - low);
        return (struct hit){hit.x, hit.x - hit.wraps - 1};
    }
    x = (low - 1) / a + 1;
    if (x <= high / a)
        return (struct hit){x, 0};
    /* No multiple of a is between low and high. So the product passes m y > 0 times, and modulo a,
     * -m * y is between them. */
    hit = first_hit(floor_mod(-m, a), a, low % a, high % a);
    if (hit.x < 0)
        return hit;
    return (struct hit){(m / a + 1) * hit.x - hit.wraps + low / a, hit.x};
}

/* Two single loops: is there a copy i of p and a copy j of q with a common byte? `gap` is the
 * number of differences between the first bytes of two blocks that overlap. */
static enum ork_answer meet_lines(const struct meeting *m, const struct part *p,
                                  const struct part *q)
{
    int64_t s = loop_of(p)->stride, t = loop_of(q)->stride;
    int64_t gap = block_of(p) + block_of(q) - 1;
    struct copies near = copies_near(p, q->low, q->low + width_of(q));
    int64_t start, x = 0, j;

    if (near.first > near.last)
        return ORK_NO;
    /* A difference in 0 .. gap - 1 modulo t: the block hits one of q's. If gap >= t, q has no hole
     * that is as large as a block of p, so that each block near it hits. */
    start = p->low + near.first * s - q->low + block_of(p) - 1;
    if (gap < t && floor_mod(start, t) >= gap) {
        int64_t left = t - floor_mod(start, t);
        x = first_hit(s % t, t, left, left + gap - 1).x;
        if (x < 0 || x > near.last - near.first)
            return ORK_NO;
    }
    start = p->low + (near.first + x) * s;
    j = min(loop_of(q)->count - 1, floor_div(start - q->low + block_of(p) - 1, t));
    return p->side == &m->a ? meet_blocks(m, start, q->low + j * t)
                            : meet_blocks(m, q->low + j * t, start);
}

/* All strides are multiples of a number, and the blocks never meet modulo that number. */
static bool are_apart_modulo(const struct part *p, const struct part *q)
{
    int64_t modulus = gcd(p->side->divisor[p->dims], q->side->divisor[q->dims]);
    int64_t rest;

    if (modulus < block_of(p) + block_of(q))
        return false;
    rest = floor_mod(q->low - p->low, modulus);
    return block_of(p) <= rest && rest + block_of(q) <= modulus;
}

static enum ork_answer meet(const struct meeting *m, const struct part *p, const struct part *q);

/* Outermost loops of the same stride: only the difference of the copies matters. */
static enum ork_answer meet_shifts(const struct meeting *m, const struct part *p,
                                   const struct part *q)
{
    int64_t stride = loop_of(p)->stride;
    struct part inner = copy_of(q, 0);
    int64_t first = floor_div(q->low - p->low - p->side->width[p->dims - 1], stride) + 1;
    int64_t last = floor_div(q->low + width_of(&inner) - 1 - p->low, stride);
    enum ork_answer answer = ORK_NO;

    first = max(first, 1 - loop_of(q)->count);
    last = min(last, loop_of(p)->count - 1);
    for (int64_t d = first; d <= last && answer != ORK_YES && *m->steps > 0; d++) {
        struct part child = copy_of(p, max(d, 0));
        struct part other = copy_of(q, max(d, 0) - d);
        enum ork_answer found = meet(m, &child, &other);
        answer = found != ORK_NO ? found : answer;
    }
    return *m->steps > 0 || answer == ORK_YES ? answer : ORK_UNDECIDED;
}

/* Each copy of p's outermost loop that is near q, against q. */
static enum ork_answer meet_copies(const struct meeting *m, const struct part *p,
                                   const struct part *q, struct copies near)
{
    enum ork_answer answer = ORK_NO;

    for (int64_t i = near.first; i <= near.last && answer != ORK_YES && *m->steps > 0; i++) {
        struct part child = copy_of(p, i);
        enum ork_answer found = meet(m, &child, q);
        answer = found != ORK_NO ? found : answer;
    }
    return *m->steps > 0 || answer == ORK_YES ? answer : ORK_UNDECIDED;
}

static enum ork_answer meet_loops(const struct meeting *m, const struct part *p,
                                  const struct part *q)
{
    struct copies of_p = {0, INT64_MAX - 1}, of_q = {0, INT64_MAX - 1};

    if (p->dims > 0)
        of_p = copies_near(p, q->low, q->low + width_of(q));
    if (q->dims > 0)
        of_q = copies_near(q, p->low, p->low + width_of(p));
    return of_p.last - of_p.first <= of_q.last - of_q.first ? meet_copies(m, p, q, of_p)
                                                            : meet_copies(m, q, p, of_q);
}

/* p is of one side and q of the other. */
static enum ork_answer meet(const struct meeting *m, const struct part *p, const struct part *q)
{
    if (--*m->steps < 0)
        return ORK_UNDECIDED;
    if (p->low + width_of(p) <= q->low || q->low + width_of(q) <= p->low)
        return ORK_NO;
    if (p->dims == 0 && q->dims == 0)
        return p->side == &m->a ? meet_blocks(m, p->low, q->low) : meet_blocks(m, q->low, p->low);
    if (p->dims == 1 && q->dims == 1)
        return meet_lines(m, p, q);
    if (are_apart_modulo(p, q))
        return ORK_NO;
    if (p->dims > 0 && q->dims > 0 && loop_of(p)->stride == loop_of(q)->stride)
        return meet_shifts(m, p, q);
    return meet_loops(m, p, q);
}

enum ork_answer ork_nests_overlap(const struct ork_nest *a, const struct ork_nest *b,
                                  int64_t *steps, struct ork_common *common)
{
    struct meeting m = {.steps = steps, .common = common};
    struct part p = {&m.a, a->low, a->num_dims}, q = {&m.b, b->low, b->num_dims};

    set_side(&m.a, a);
    set_side(&m.b, b);
    return meet(&m, &p, &q);
}

/* Two copies of a loop, d apart, overlap if the loops inside it overlap themselves moved by d
 * strides. A loop whose stride is not less than the bytes inside it never does. */
enum ork_answer ork_nest_repeats(const struct ork_nest *nest, int64_t *steps,
                                 struct ork_common *common)
{
    struct meeting m = {.steps = steps, .common = common};
    enum ork_answer answer = ORK_NO;

    set_side(&m.a, nest);
    set_side(&m.b, nest);
    for (uint32_t k = 0; k < nest->num_dims; k++) {
        const struct ork_dim *dim = &nest->dim[k];
        int64_t last = min(dim->count - 1, (m.a.width[k] - 1) / dim->stride);
        for (int64_t d = 1; d <= last; d++) {
            struct part p = {&m.a, nest->low, k};
            struct part q = {&m.b, nest->low + d * dim->stride, k};
            enum ork_answer found = meet(&m, &p, &q);
            if (found != ORK_NO)
                answer = found;
            if (answer == ORK_YES)
                return answer;
            if (*steps <= 0)
                return ORK_UNDECIDED;
        }
    }
    return answer;
}
