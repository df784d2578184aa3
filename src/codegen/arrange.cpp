// Bringing operands to the top of the stack with as few SWAPs as possible.

#include <algorithm>
#include <numeric>

#include "codegen/plan.hpp"

namespace postern::codegen {
namespace {

constexpr int kReach = 16;

struct Operand {
    int task;
    bool consumed;
};

void swap_top(Stack& s, int depth) {
    std::swap(s.item[static_cast<std::size_t>(s.size - 1)], s.item[static_cast<std::size_t>(s.size - 1 - depth)]);
}

/// PUSH or DUP of a value; false if it is out of reach.
bool copy(const Plan& p, Stack& s, int task, std::vector<Step>& steps) {
    const Task& t = p.tasks[static_cast<std::size_t>(task)];
    if (t.fused) {
        for (auto it = t.args.rbegin(); it != t.args.rend(); ++it) {
            if (!copy(p, s, *it, steps)) return false;
        }
        steps.push_back({Step::Kind::exec, task});
        s.size -= static_cast<int>(t.args.size());
        s.push(task);
        return true;
    }
    if (t.leaf) {
        steps.push_back({Step::Kind::push, task});
        s.push(task);
        return true;
    }
    const int depth = s.find(task);
    if (depth < 0 || depth >= kReach) {
        if (!t.known) return false;
        steps.push_back({Step::Kind::push, task});
        s.push(task);
        return true;
    }
    steps.push_back({Step::Kind::dup, depth + 1});
    s.push(task);
    return true;
}

/// SWAPs that sort the top n items into `want` (top first); empty optional if more than `budget`.
bool sort_top(Stack& s, const std::vector<int>& want, int budget, std::vector<Step>& steps) {
    const int n = static_cast<int>(want.size());
    const auto wrong = [&] {
        for (int i = 0; i < n; ++i) {
            if (s.top(i) != want[static_cast<std::size_t>(i)]) return true;
        }
        return false;
    };
    if (!wrong()) return true;
    if (budget == 0) return false;
    for (int d = 1; d < n; ++d) {
        swap_top(s, d);
        steps.push_back({Step::Kind::swap, d});
        if (sort_top(s, want, budget - 1, steps)) return true;
        steps.pop_back();
        swap_top(s, d);
    }
    return false;
}

class Search {
  public:
    Search(const Plan& p, const Task& t, std::vector<Operand> operands, std::size_t limit)
        : p_(p), t_(t), operands_(std::move(operands)), limit_(limit) {
        for (std::size_t i = 0; i < operands_.size(); ++i) {
            if (operands_[i].consumed)
                consumed_.push_back(operands_[i].task);
            else
                copied_.push_back(operands_[i].task);
            want_.push_back(operands_[i].task);
        }
        mirrored_ = want_;
        if (t_.commutative && want_.size() >= 2) std::swap(mirrored_[0], mirrored_[1]);
        std::sort(copied_.begin(), copied_.end());
    }

    bool out_of_reach = false;
    std::vector<Arrangement> found;

    void run(const Stack& s, int swaps) {
        steps_.clear();
        total_ = swaps;
        descend(s, swaps, -1);
    }

  private:
    void descend(const Stack& s, int budget, int last) {
        if (found.size() >= limit_) return;
        if (ready(s)) finish(s, budget);
        if (budget == 0) return;
        // Only SWAPs that put an operand on top, or the top into one of the places where the operands will be.
        const int count = static_cast<int>(consumed_.size());
        std::array<int, 12> targets{};
        std::size_t n = 0;
        for (int d = 1; d <= count; ++d) targets[n++] = d;
        for (const int c : consumed_) {
            const int d = s.find(c);
            if (d > count && n < targets.size()) targets[n++] = d;
        }
        for (std::size_t i = 0; i < n; ++i) {
            const int d = targets[i];
            if (d == last || d >= s.size - s.fixed) continue;
            if (d > kReach) {
                out_of_reach = true;
                continue;
            }
            Stack next = s;
            swap_top(next, d);
            steps_.push_back({Step::Kind::swap, d});
            descend(next, budget - 1, d);
            steps_.pop_back();
        }
    }

    bool ready(const Stack& s) const {
        const std::size_t n = consumed_.size();
        if (static_cast<std::size_t>(s.size - s.fixed) < n) return false;
        for (std::size_t i = 0; i < n; ++i) {
            if (std::find(consumed_.begin(), consumed_.end(), s.top(static_cast<int>(i))) == consumed_.end()) return false;
        }
        return true;
    }

    void finish(const Stack& s, int budget) {
        std::vector<int> order = copied_;
        do {
            Stack next = s;
            std::vector<Step> steps = steps_;
            bool ok = true;
            for (const int c : order) {
                if (!copy(p_, next, c, steps)) {
                    out_of_reach = true;
                    ok = false;
                    break;
                }
            }
            if (!ok) continue;
            for (const auto* want : {&want_, &mirrored_}) {
                Stack sorted = next;
                std::vector<Step> all = steps;
                if (!sort_top(sorted, *want, budget, all)) continue;
                int swaps = 0;
                for (const Step& x : all) swaps += x.kind == Step::Kind::swap ? 1 : 0;
                if (swaps != total_) continue;
                found.push_back({std::move(all), sorted, swaps});
                break;
            }
            if (found.size() >= limit_) return;
        } while (std::next_permutation(order.begin(), order.end()));
    }

    const Plan& p_;
    const Task& t_;
    std::vector<Operand> operands_;
    std::size_t limit_;
    std::vector<int> consumed_;
    std::vector<int> copied_;
    std::vector<int> want_;
    std::vector<int> mirrored_;
    std::vector<Step> steps_;
    int total_ = 0;
};

/// Many operands (calls): copies of everything, the originals become junk.
Arrangement copy_all(const Plan& p, const Stack& s, const std::vector<Operand>& operands) {
    Arrangement a;
    a.stack = s;
    for (std::size_t i = operands.size(); i-- > 0;) {
        if (!copy(p, a.stack, operands[i].task, a.steps)) throw OutOfReach{operands[i].task};
    }
    const int top = static_cast<int>(operands.size());
    for (const Operand& o : operands) {
        if (!o.consumed) continue;
        for (int d = top; d < a.stack.size; ++d) {
            if (a.stack.top(d) == o.task) a.stack.item[static_cast<std::size_t>(a.stack.size - 1 - d)] = kJunk;
        }
    }
    return a;
}

}  // namespace

std::vector<Arrangement> arrange(const Plan& p, const Stack& s, int task, const std::vector<bool>& last_use, std::size_t limit, int slack) {
    const Task& t = p.tasks[static_cast<std::size_t>(task)];
    std::vector<Operand> operands;
    std::size_t consumed = 0;
    for (std::size_t i = 0; i < t.args.size(); ++i) {
        const bool again = std::find(t.args.begin() + static_cast<std::ptrdiff_t>(i) + 1, t.args.end(), t.args[i]) != t.args.end();
        const Task& o = p.tasks[static_cast<std::size_t>(t.args[i])];
        const bool consume = last_use[i] && !again && !o.leaf && !o.resident;
        operands.push_back({t.args[i], consume});
        consumed += consume ? 1 : 0;
    }
    if (operands.size() > 4 || consumed > 3) return {copy_all(p, s, operands)};
    for (const Operand& o : operands) {
        const Task& ot = p.tasks[static_cast<std::size_t>(o.task)];
        if (ot.leaf || ot.known) continue;
        if (const int d = s.find(o.task); d > kReach || (d == kReach && !o.consumed)) throw OutOfReach{o.task};
    }
    Search search(p, t, operands, limit);
    int extra = slack;
    const int most = consumed < 3 ? 4 : 6;
    for (int swaps = 0; swaps <= most && (search.found.empty() || extra-- > 0); ++swaps) search.run(s, swaps);
    if (search.found.empty()) {
        int deepest = -1;
        int value = t.args.empty() ? 0 : t.args[0];
        for (const Operand& o : operands) {
            const Task& ot = p.tasks[static_cast<std::size_t>(o.task)];
            if (ot.leaf) continue;
            const int d = s.find(o.task);
            if (d > deepest) {
                deepest = d;
                value = o.task;
            }
        }
        throw OutOfReach{value};
    }
    return std::move(search.found);
}

void arrange_exit(const Plan& p, Stack& s, std::vector<Step>& steps) {
    const auto item = [&](int position) -> std::int16_t& { return s.item[static_cast<std::size_t>(s.fixed + position)]; };
    std::vector<int> target(p.exit.rbegin(), p.exit.rend());  // bottom first
    // What is not wanted is junk.
    {
        std::vector<int> missing = target;
        for (int i = 0; i < s.size - s.fixed; ++i) {
            const auto it = std::find(missing.begin(), missing.end(), item(i));
            if (it == missing.end())
                item(i) = kJunk;
            else
                missing.erase(it);
        }
    }
    const auto swap_with = [&](int position) {
        const int depth = s.size - s.fixed - 1 - position;
        if (depth > kReach) throw OutOfReach{item(position) == kJunk ? s.top(0) : item(position)};
        steps.push_back({Step::Kind::swap, depth});
        swap_top(s, depth);
    };
    for (;;) {
        const int n = s.size - s.fixed;
        if (n > 0 && item(n - 1) == kJunk) {
            --s.size;
            steps.push_back({Step::Kind::pop, 0});
            continue;
        }
        // Prefer the hole where the top item belongs.
        int hole = -1;
        for (int i = n - 1; i >= 0; --i) {
            if (item(i) != kJunk) continue;
            if (hole < 0) hole = i;
            if (i < static_cast<int>(target.size()) && target[static_cast<std::size_t>(i)] == item(n - 1)) {
                hole = i;
                break;
            }
        }
        if (hole < 0) break;
        swap_with(hole);
    }
    std::vector<int> missing = target;
    for (int i = 0; i < s.size - s.fixed; ++i) missing.erase(std::find(missing.begin(), missing.end(), item(i)));
    for (const int v : missing) {
        if (!copy(p, s, v, steps)) throw OutOfReach{v};
    }
    const int n = s.size - s.fixed;
    for (;;) {
        int place = -1;
        if (n > 0 && target[static_cast<std::size_t>(n - 1)] != item(n - 1)) {
            for (int i = 0; i < n; ++i) {
                if (target[static_cast<std::size_t>(i)] == item(n - 1) && item(i) != item(n - 1)) place = i;
            }
        } else {
            for (int i = 0; i < n; ++i) {
                if (target[static_cast<std::size_t>(i)] != item(i) && item(i) != item(n - 1)) place = i;
            }
        }
        if (place < 0) break;
        swap_with(place);
    }
}

}  // namespace postern::codegen
