// Orders of execution: the reference order, and a beam search around it.

#include <algorithm>
#include <memory>
#include <unordered_set>

#include "codegen/plan.hpp"

namespace postern::codegen {
namespace {

Stack entry_stack(const Plan& p) {
    Stack s;
    for (auto it = p.residents.rbegin(); it != p.residents.rend(); ++it) s.push(*it);
    s.fixed = s.size;
    for (auto it = p.entry.rbegin(); it != p.entry.rend(); ++it) s.push(*it);
    return s;
}

/// Pops the operands, pushes the result, drops junk from the top.
void execute(const Plan& p, int task, bool result_used, Stack& s, std::vector<Step>& steps) {
    const Task& t = p.tasks[static_cast<std::size_t>(task)];
    s.size -= static_cast<int>(t.args.size());
    steps.push_back({Step::Kind::exec, task});
    if (t.result) s.push(result_used ? task : kJunk);
    while (s.size > s.fixed && s.top(0) == kJunk) {
        --s.size;
        steps.push_back({Step::Kind::pop, 0});
    }
}

int occurrences(const Task& t, int v) { return static_cast<int>(std::count(t.args.begin(), t.args.end(), v)); }

}  // namespace

std::vector<Step> follow_order(const Plan& p, const std::vector<int>& order) {
    Stack s = entry_stack(p);
    std::vector<int> uses(p.tasks.size());
    for (std::size_t i = 0; i < p.tasks.size(); ++i) uses[i] = static_cast<int>(p.tasks[i].users.size()) + p.tasks[i].exit_uses;
    for (int i = s.fixed; i < s.size; ++i) {
        auto& item = s.item[static_cast<std::size_t>(i)];
        if (uses[static_cast<std::size_t>(item)] == 0) item = kJunk;
    }
    std::vector<Step> steps;
    while (s.size > s.fixed && s.top(0) == kJunk) {
        --s.size;
        steps.push_back({Step::Kind::pop, 0});
    }
    for (const int task : order) {
        const Task& t = p.tasks[static_cast<std::size_t>(task)];
        std::vector<bool> last;
        for (const int a : t.args) last.push_back(uses[static_cast<std::size_t>(a)] == occurrences(t, a));
        auto plans = arrange(p, s, task, last, 1, 0);
        for (const int a : t.args) --uses[static_cast<std::size_t>(a)];
        steps.insert(steps.end(), plans[0].steps.begin(), plans[0].steps.end());
        s = plans[0].stack;
        execute(p, task, uses[static_cast<std::size_t>(task)] > 0, s, steps);
    }
    arrange_exit(p, s, steps);
    return steps;
}

namespace {

/// How a state was reached; shared by all its descendants.
struct Trail {
    std::shared_ptr<const Trail> parent;
    std::vector<Step> steps;
};

struct State {
    Stack stack;
    std::size_t first = 0;   // every task of the order before it is done
    std::uint64_t mask = 0;  // done ones from `first` on
    std::uint32_t cost = 0;  // tenths of gas: SWAPs and POPs
    std::uint32_t key = 0;
    std::shared_ptr<const Trail> trail;
};

struct Candidate {
    State state;
    std::uint32_t parent = 0;
    std::vector<Step> steps;
};

std::uint64_t fingerprint(const State& s) {
    std::uint64_t h = 0x9e3779b97f4a7c15ULL ^ s.mask;
    const auto mix = [&](std::uint64_t v) {
        h ^= v + 0x9e3779b97f4a7c15ULL + (h << 6) + (h >> 2);
        h *= 0xff51afd7ed558ccdULL;
        h ^= h >> 33;
    };
    mix(s.first);
    for (int i = s.stack.fixed; i < s.stack.size; ++i) mix(static_cast<std::uint64_t>(s.stack.item[static_cast<std::size_t>(i)] + 2));
    return h;
}

class Beam {
  public:
    Beam(const Plan& p, const ScheduleOptions& o, unsigned weight) : p_(p), options_(o), weight_(weight), position_(p.tasks.size(), -1) {
        for (std::size_t i = 0; i < p.order.size(); ++i) position_[static_cast<std::size_t>(p.order[i])] = static_cast<int>(i);
        window_ = std::min(o.window, 60U);
    }

    std::optional<std::vector<Step>> run() {
        std::vector<State> beam(1);
        beam[0].stack = entry_stack(p_);
        auto root = std::make_shared<Trail>();
        State& s = beam[0];
        for (int i = s.stack.fixed; i < s.stack.size; ++i) {
            auto& item = s.stack.item[static_cast<std::size_t>(i)];
            if (remaining(s, item) == 0) item = kJunk;
        }
        while (s.stack.size > s.stack.fixed && s.stack.top(0) == kJunk) {
            --s.stack.size;
            root->steps.push_back({Step::Kind::pop, 0});
        }
        s.trail = std::move(root);
        for (std::size_t level = 0; level < p_.order.size(); ++level) {
            if (!advance(beam)) return std::nullopt;
        }
        return best(beam);
    }

  private:
    bool done(const State& s, std::size_t position) const {
        return position < s.first || (position - s.first < 64 && ((s.mask >> (position - s.first)) & 1U) != 0);
    }
    bool task_done(const State& s, int task) const {
        const int at = position_[static_cast<std::size_t>(task)];
        return at < 0 || done(s, static_cast<std::size_t>(at));
    }
    int remaining(const State& s, int task) const {
        const Task& t = p_.tasks[static_cast<std::size_t>(task)];
        int n = t.exit_uses;
        for (const int u : t.users) n += task_done(s, u) ? 0 : 1;
        return n;
    }
    bool ready(const State& s, int task) const {
        const Task& t = p_.tasks[static_cast<std::size_t>(task)];
        for (const int a : t.args) {
            if (!task_done(s, a)) return false;
        }
        return std::all_of(t.after.begin(), t.after.end(), [&](int a) { return task_done(s, a); });
    }

    bool advance(std::vector<State>& beam) {
        candidates_.clear();
        std::vector<bool> last;
        for (std::uint32_t b = 0; b < beam.size(); ++b) {
            const State& s = beam[b];
            const std::size_t end = std::min(s.first + window_, p_.order.size());
            for (std::size_t at = s.first; at < end; ++at) {
                const int task = p_.order[at];
                const Task& t = p_.tasks[static_cast<std::size_t>(task)];
                if (t.phase != p_.tasks[static_cast<std::size_t>(p_.order[s.first])].phase) break;
                if (done(s, at) || !ready(s, task)) continue;
                last.clear();
                for (const int a : t.args) {
                    const Task& o = p_.tasks[static_cast<std::size_t>(a)];
                    last.push_back(!o.leaf && !o.resident && remaining(s, a) == occurrences(t, a));
                }
                std::vector<Arrangement> plans;
                try {
                    plans = arrange(p_, s.stack, task, last, 2, 0);
                } catch (const OutOfReach&) {
                    continue;
                }
                for (Arrangement& plan : plans) add(s, b, at, task, plan);
            }
        }
        if (candidates_.empty()) return false;
        std::vector<std::uint32_t> index(candidates_.size());
        for (std::uint32_t i = 0; i < index.size(); ++i) index[i] = i;
        std::stable_sort(index.begin(), index.end(),
                         [&](std::uint32_t x, std::uint32_t y) { return candidates_[x].state.key < candidates_[y].state.key; });
        std::unordered_set<std::uint64_t> seen;
        std::vector<State> next;
        for (const std::uint32_t i : index) {
            Candidate& c = candidates_[i];
            if (!seen.insert(fingerprint(c.state)).second) continue;
            c.state.trail = std::make_shared<Trail>(Trail{beam[c.parent].trail, std::move(c.steps)});
            next.push_back(std::move(c.state));
            if (next.size() >= options_.beam_width) break;
        }
        beam = std::move(next);
        return true;
    }

    void add(const State& s, std::uint32_t parent, std::size_t at, int task, Arrangement& plan) {
        Candidate c;
        c.parent = parent;
        c.state.stack = plan.stack;
        c.state.first = s.first;
        c.state.mask = s.mask | (std::uint64_t{1} << (at - s.first));
        while ((c.state.mask & 1U) != 0) {
            c.state.mask >>= 1;
            ++c.state.first;
        }
        c.steps = std::move(plan.steps);
        const std::size_t before = c.steps.size();
        execute(p_, task, remaining(c.state, task) > 0, c.state.stack, c.steps);
        const auto pops = static_cast<std::uint32_t>(c.steps.size() - before - 1);
        c.state.cost = s.cost + 30U * static_cast<std::uint32_t>(plan.swaps) + 20U * pops;
        std::uint32_t junk = 0;
        const Stack& st = c.state.stack;
        for (int i = st.fixed; i < st.size; ++i) junk += st.item[static_cast<std::size_t>(i)] == kJunk ? 1U : 0U;
        // Ahead of program order is a small debt: it keeps the window moving when all else is equal.
        const auto ahead = static_cast<std::uint32_t>(__builtin_popcountll(c.state.mask));
        c.state.key = 16 * (c.state.cost + 35U * junk + weight_ * static_cast<std::uint32_t>(st.size)) + ahead;
        candidates_.push_back(std::move(c));
    }

    std::optional<std::vector<Step>> best(const std::vector<State>& beam) {
        const State* chosen = nullptr;
        std::vector<Step> tail;
        std::uint32_t cost = 0;
        for (const State& s : beam) {
            Stack st = s.stack;
            std::vector<Step> steps;
            try {
                arrange_exit(p_, st, steps);
            } catch (const OutOfReach&) {
                continue;
            }
            std::uint32_t c = s.cost;
            for (const Step& x : steps) c += x.kind == Step::Kind::pop ? 20U : 30U;
            if (chosen != nullptr && c >= cost) continue;
            chosen = &s;
            cost = c;
            tail = std::move(steps);
        }
        if (chosen == nullptr) return std::nullopt;
        std::vector<const Trail*> trail;
        for (const Trail* t = chosen->trail.get(); t != nullptr; t = t->parent.get()) trail.push_back(t);
        std::vector<Step> out;
        for (auto it = trail.rbegin(); it != trail.rend(); ++it) out.insert(out.end(), (*it)->steps.begin(), (*it)->steps.end());
        out.insert(out.end(), tail.begin(), tail.end());
        return out;
    }

    const Plan& p_;
    const ScheduleOptions& options_;
    unsigned weight_;
    std::vector<int> position_;
    std::size_t window_;
    std::vector<Candidate> candidates_;
};

}  // namespace

std::optional<std::vector<Step>> beam_search(const Plan& p, const ScheduleOptions& options, unsigned height_weight) {
    if (p.order.empty()) return std::nullopt;
    return Beam(p, options, height_weight).run();
}

}  // namespace postern::codegen
