/* SPDX-License-Identifier: BSD-3-Clause */
#include "order/file/loop.h"

/* Larger ordinals could wrap around. */
#define POST_MAX (UINT64_C(1) << 62)
#define STEP_MAX (UINT64_C(1) << 32)

/* Is `now` the choice `before` of the next round? */
static bool is_again(const struct ork_loop_choice *before, const struct ork_loop_choice *now)
{
    return now->what == before->what && now->place == before->place &&
           now->message == before->message && now->index == before->index &&
           (now->post != 0) == (before->post != 0) && now->post < POST_MAX &&
           now->post - before->post < STEP_MAX;
}

/* Can it be in a loop? RATIONALE: only what is a choice of its own, see count() in decode.c. */
static bool is_plain(const struct ork_loop_choice *c)
{
    return ork_loop_kind(c) < ORK_CHOICE_END;
}

/* RATIONALE: the choices of one thread, and of what one thread posted: a hash of many rounds at
 * once (ork_order_hash_add_loop()) needs ordinals that advance together. */
static bool is_of_one_thread(const struct ork_loop_choice *first, uint32_t round)
{
    const struct ork_loop_choice *posted = NULL;

    for (uint32_t i = 0; i < round; i++) {
        if (!is_plain(&first[i]) || ork_loop_thread(&first[i]) != ork_loop_thread(first))
            return false;
        if (first[i].post == 0)
            continue;
        if (posted != NULL && ork_loop_post_thread(&first[i]) != ork_loop_post_thread(posted))
            return false;
        posted = &first[i];
    }
    return true;
}

/* Are the latest choices two rounds of so many? */
static bool is_round(const struct ork_loop *loop, uint32_t round)
{
    const struct ork_loop_choice *first = &loop->choice[loop->num - 2 * round];

    for (uint32_t i = 0; i < round; i++) {
        if (!is_again(&first[i], &first[i + round]))
            return false;
    }
    return is_of_one_thread(first, round);
}

static void begin(struct ork_loop *loop, uint32_t round)
{
    uint32_t first = loop->num - 2 * round;

    for (uint32_t i = 0; i < round; i++) {
        struct ork_loop_choice c = loop->choice[first + round + i];
        c.step = c.post - loop->choice[first + i].post;
        c.post += c.step;
        c.values = (uint8_t)ork_predict_values_of(ork_loop_thread(&c), c.slot);
        loop->choice[i] = c;
    }
    loop->round = round;
    /* RATIONALE: from the latest one, because that is in the tables. */
    for (loop->at = round; loop->at-- > 0;)
        ork_loop_set_polls(loop, loop->choice[loop->at].polls);
    loop->at = 0;
}

static void find(struct ork_loop *loop)
{
    for (uint32_t round = 1; 2 * round <= loop->num; round++) {
        if (is_round(loop, round)) {
            begin(loop, round);
            return;
        }
    }
    if (loop->num < ORK_LOOP_SEEN)
        return;
    loop->num = 0;
    loop->wait = ORK_LOOP_WAIT_AGAIN;
}

void ork_loop_note(struct ork_loop *loop, const struct ork_choice *choice, uint64_t index,
                   uint8_t slot)
{
    if (loop->wait > 0) {
        loop->wait--;
        return;
    }
    loop->choice[loop->num++] = (struct ork_loop_choice){.what = ork_loop_what(choice),
                                                         .place = ork_loop_place(choice),
                                                         .message = ork_loop_message(choice),
                                                         .polls = choice->polls,
                                                         .index = index,
                                                         .post = choice->post,
                                                         .slot = slot};
    if (loop->num % 2 == 0)
        find(loop);
}

/* The indices from their one number, into room for so many; UINT32_MAX: they do not fit. */
static uint32_t get_indices(uint64_t number, uint32_t *index, uint32_t room)
{
    uint64_t mask = number >> 1;
    uint32_t count = 0;

    if (number % 2 == 0) {
        if (room == 0 || number < 2 || (number - 2) / 2 > UINT32_MAX)
            return UINT32_MAX;
        index[0] = (uint32_t)((number - 2) / 2);
        return 1;
    }
    for (; mask != 0 && count < room; mask &= mask - 1)
        index[count++] = (uint32_t)__builtin_ctzll(mask);
    return mask == 0 ? count : UINT32_MAX;
}

/* A choice, with its indices in the room behind *used. False: they do not fit. RATIONALE: rounds
 * with very many indices are rare, and not worth the room. */
static bool get(const struct ork_loop_choice *c, struct ork_choice *choice, uint32_t *index,
                uint32_t *used)
{
    memset(choice, 0, sizeof(*choice));
    ork_loop_get(c, choice);
    choice->index = &index[*used];
    choice->count = get_indices(c->index, &index[*used], ORK_ORDER_ROUND_INDICES - *used);
    if (choice->count == UINT32_MAX)
        return false;
    *used += choice->count;
    return true;
}

bool ork_loop_rounds(const struct ork_loop *loop, uint32_t run, struct ork_order_rounds *to)
{
    uint32_t used = 0;

    if (loop->round == 0 || loop->at != 0 || run < 2 * loop->round)
        return false;
    to->round = loop->round;
    to->rounds = run / loop->round;
    for (uint32_t i = 0; i < loop->round; i++) {
        to->step[i] = loop->choice[i].step;
        if (!get(&loop->choice[i], &to->choice[i], to->index, &used))
            return false;
    }
    return true;
}

bool ork_loop_series(const struct ork_loop *loop, struct ork_order_series *to)
{
    uint32_t used = 0;

    to->round = loop->round;
    for (uint32_t i = 0; i < loop->round; i++) {
        const struct ork_loop_choice *c = &loop->choice[(loop->at + i) % loop->round];
        if (c->post != 0 || !get(c, &to->choice[i], to->index, &used))
            return false;
    }
    return loop->round > 0;
}

void ork_loop_skip(struct ork_loop *loop, uint32_t rounds)
{
    for (uint32_t i = 0; i < loop->round; i++)
        loop->choice[i].post += loop->choice[i].step * rounds;
}

static void confirm(struct ork_predictor *p, const struct ork_loop_choice *c)
{
    struct ork_prediction from = {.slot = c->slot};
    struct ork_choice choice;

    ork_loop_get(c, &choice);
    choice.post -= c->step;
    ork_predict_outcome(p, choice.thread, &from);
    ork_predict_confirm(p, &choice, &from);
    from.values->polls = choice.polls;
}

void ork_loop_leave(struct ork_loop *loop, struct ork_predictor *p)
{
    for (uint32_t i = 0; i < loop->round; i++)
        confirm(p, &loop->choice[(loop->at + i) % loop->round]);
    loop->round = 0;
    loop->num = 0;
    loop->wait = ORK_LOOP_WAIT;
}
