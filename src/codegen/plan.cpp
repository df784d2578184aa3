#include "codegen/plan.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>

namespace postern::codegen {
namespace {

/// Graph nodes after resolving aliases and sharing expressions that differ only in bounds.
class Builder {
  public:
    Builder(const Graph& g, const std::vector<std::uint32_t>& spilled, const std::optional<Area>& spill) : g_(g) {
        for (std::size_t i = 0; i < spilled.size(); ++i) spill_address_[spilled[i]] = spill->base + 32 * i;
        canonical_.resize(g.nodes.size());
        std::map<std::vector<std::uint32_t>, std::uint32_t> shared;
        for (std::uint32_t id = 0; id < g.nodes.size(); ++id) {
            const Node& n = g.at(id);
            canonical_[id] = id;
            if (n.kind == Kind::alias) {
                canonical_[id] = canonical_[n.args[0]];
            } else if (n.kind == Kind::operation && !n.pinned_order) {
                std::vector<std::uint32_t> key{static_cast<std::uint32_t>(n.op)};
                for (const std::uint32_t a : n.args) key.push_back(canonical_[a]);
                canonical_[id] = shared.emplace(std::move(key), id).first->second;
            }
        }
    }

    Plan build() {
        for (const std::uint32_t r : g_.residents) plan_.residents.push_back(task(r));
        for (const std::uint32_t e : g_.entry) plan_.entry.push_back(task(e));
        for (const auto& [id, address] : spill_address_) {
            if (g_.at(id).kind == Kind::entry) visit(id);
        }
        for (std::uint32_t id = 0; id < g_.nodes.size(); ++id) {
            if (g_.at(id).kind == Kind::phase)
                ++phase_;
            else if (g_.at(id).effect)
                visit(id);
        }
        for (auto it = g_.exit.rbegin(); it != g_.exit.rend(); ++it) visit(*it);
        for (const std::uint32_t e : g_.exit) plan_.exit.push_back(operand(e));
        for (const int t : plan_.exit) ++plan_.tasks[static_cast<std::size_t>(t)].exit_uses;
        for (std::size_t i = 0; i < plan_.tasks.size(); ++i) {
            for (const int a : plan_.tasks[i].args) plan_.tasks[static_cast<std::size_t>(a)].users.push_back(static_cast<int>(i));
        }
        fuse();
        return std::move(plan_);
    }

  private:
    /// The task for a node itself (not looking at spilling).
    int task(std::uint32_t id) {
        id = canonical_[id];
        if (const auto it = task_.find(id); it != task_.end()) return it->second;
        const Node& n = g_.at(id);
        Task t;
        t.node = id;
        t.leaf = n.kind == Kind::constant || n.kind == Kind::label || n.kind == Kind::environment;
        t.resident = n.resident;
        t.known = n.known && !n.early;
        t.entry = n.kind == Kind::entry;
        t.result = n.result;
        t.commutative = n.kind == Kind::operation && commutative(n.op) && n.args.size() <= 3;
        plan_.tasks.push_back(std::move(t));
        return task_[id] = static_cast<int>(plan_.tasks.size() - 1);
    }

    /// What a user of the node refers to: its task, or a reload.
    int operand(std::uint32_t id) {
        id = canonical_[id];
        const auto spill = spill_address_.find(id);
        if (spill == spill_address_.end()) return task(id);
        Task t;
        t.node = id;
        t.leaf = true;
        t.reload = true;
        t.spill_address = spill->second;
        t.reload_of_store = spill_store(id);
        plan_.tasks.push_back(std::move(t));
        return static_cast<int>(plan_.tasks.size() - 1);
    }

    int spill_store(std::uint32_t id) {
        const auto it = store_.find(id);
        if (it != store_.end()) return it->second;
        const int value = task(id);
        Task t;
        t.node = id;
        t.result = false;
        t.spill_store = true;
        t.spill_address = spill_address_.at(id);
        t.args = {value};
        plan_.tasks.push_back(std::move(t));
        const int index = static_cast<int>(plan_.tasks.size() - 1);
        store_[id] = index;
        return index;
    }

    /// Puts the node and what it needs into the reference order, depth first.
    void visit(std::uint32_t root) {
        root = canonical_[root];
        const Node& n = g_.at(root);
        const int t = task(root);
        if (plan_.tasks[static_cast<std::size_t>(t)].leaf || done_[root]) return;
        done_[root] = true;
        if (n.kind != Kind::entry) {
            for (const std::uint32_t a : n.after) {
                if (g_.at(a).effect || live(a)) visit(a);
            }
            // A value needed first should lie deeper: the last operand is computed first, except that a commutative operator keeps
            // the order in which its operands were written.
            std::vector<std::uint32_t> args;
            for (const std::uint32_t a : n.args) args.push_back(canonical_[a]);
            std::vector<std::uint32_t> sequence(args.rbegin(), args.rend());
            if (args.size() == 2 && commutative(n.op) && args[0] < args[1]) std::swap(sequence[0], sequence[1]);
            for (const std::uint32_t a : sequence) visit(a);
            std::vector<int> operands;
            std::vector<int> after;
            for (const std::uint32_t a : args) {
                operands.push_back(operand(a));
                const Task& o = plan_.tasks[static_cast<std::size_t>(operands.back())];
                if (o.reload) after.push_back(o.reload_of_store);
            }
            for (const std::uint32_t a : n.after) {
                if (const auto it = task_.find(a); it != task_.end() && done_[a]) after.push_back(it->second);
            }
            Task& me = plan_.tasks[static_cast<std::size_t>(t)];
            me.args = std::move(operands);
            me.after = std::move(after);
            me.phase = phase_;
            plan_.order.push_back(t);
        }
        if (spill_address_.contains(root)) {
            plan_.order.push_back(spill_store(root));
            plan_.tasks[static_cast<std::size_t>(plan_.order.back())].phase = phase_;
        }
    }

    /// Is a load that an effect has to wait for used at all?
    bool live(std::uint32_t id) {
        if (live_.empty()) {
            live_.assign(g_.nodes.size(), false);
            std::vector<std::uint32_t> work;
            for (std::uint32_t i = 0; i < g_.nodes.size(); ++i) {
                if (g_.at(i).effect && g_.at(i).kind != Kind::phase) work.push_back(i);
            }
            work.insert(work.end(), g_.exit.begin(), g_.exit.end());
            while (!work.empty()) {
                const std::uint32_t i = canonical_[work.back()];
                work.pop_back();
                if (live_[i]) continue;
                live_[i] = true;
                work.insert(work.end(), g_.at(i).args.begin(), g_.at(i).args.end());
            }
        }
        return live_[id];
    }

    /// Loads and expressions of constants and residents with one use are pushed where they are used, like constants.
    void fuse() {
        std::vector<int> position(plan_.tasks.size(), -1);
        for (std::size_t i = 0; i < plan_.order.size(); ++i) position[static_cast<std::size_t>(plan_.order[i])] = static_cast<int>(i);
        std::vector<std::vector<int>> waiting(plan_.tasks.size());  // who has to come after a task
        for (const int t : plan_.order) {
            for (const int a : plan_.tasks[static_cast<std::size_t>(t)].after) waiting[static_cast<std::size_t>(a)].push_back(t);
        }
        std::vector<int> kept;
        for (const int index : plan_.order) {
            Task& t = plan_.tasks[static_cast<std::size_t>(index)];
            const Node& n = g_.at(t.node);
            const bool simple = n.kind == Kind::operation && !n.effect && !t.spill_store && t.users.size() == 1 && t.exit_uses == 0 &&
                                !spill_address_.contains(t.node) && t.args.size() <= 2;
            const auto is_leaf = [&](int a) {
                const Task& o = plan_.tasks[static_cast<std::size_t>(a)];
                return o.leaf || o.resident;
            };
            bool ok = simple && std::all_of(t.args.begin(), t.args.end(), is_leaf);
            const int user = ok ? t.users[0] : -1;
            if (ok) {
                const auto later = [&](int w) {
                    return w == user || position[static_cast<std::size_t>(w)] > position[static_cast<std::size_t>(user)];
                };
                const auto& w = waiting[static_cast<std::size_t>(index)];
                ok = position[static_cast<std::size_t>(user)] >= 0 && std::all_of(w.begin(), w.end(), later);
            }
            if (!ok) {
                kept.push_back(index);
                continue;
            }
            t.leaf = true;
            t.fused = true;
            Task& u = plan_.tasks[static_cast<std::size_t>(user)];
            u.after.insert(u.after.end(), t.after.begin(), t.after.end());
            for (const int w : waiting[static_cast<std::size_t>(index)]) {
                auto& after = plan_.tasks[static_cast<std::size_t>(w)].after;
                after.erase(std::remove(after.begin(), after.end(), index), after.end());
                if (w == user) continue;
                after.push_back(user);
                waiting[static_cast<std::size_t>(user)].push_back(w);
            }
        }
        plan_.order = std::move(kept);
    }

    const Graph& g_;
    int phase_ = 0;
    Plan plan_;
    std::vector<std::uint32_t> canonical_;
    std::map<std::uint32_t, std::uint64_t> spill_address_;
    std::map<std::uint32_t, int> task_;
    std::map<std::uint32_t, int> store_;
    std::map<std::uint32_t, bool> done_;
    std::vector<bool> live_;
};

}  // namespace

Plan Plan::build(const Graph& g, const std::vector<std::uint32_t>& spilled, const std::optional<Area>& spill) {
    return Builder(g, spilled, spill).build();
}

void Stack::push(int v) {
    if (size >= kCapacity) throw Error("scheduler: stack picture overflows");
    item[static_cast<std::size_t>(size++)] = static_cast<std::int16_t>(v);
}

int Stack::find(int v) const {
    for (int d = 0; d < size; ++d) {
        if (top(d) == v) return d;
    }
    return -1;
}

std::uint64_t leaf_gas(const Task& t, const Graph& g) {
    if (t.reload) return 6;
    const Node& n = g.at(t.node);
    if (n.kind == Kind::constant) return n.value.is_zero() ? 2 : 3;
    if (n.kind == Kind::environment) return evm::base_gas(n.op);
    return 3;
}

std::uint64_t traffic_gas(const Plan& p, const Graph& g, const std::vector<Step>& steps) {
    std::uint64_t gas = 0;
    for (const Step& s : steps) {
        switch (s.kind) {
            case Step::Kind::push: {
                const Task& t = p.tasks[static_cast<std::size_t>(s.arg)];
                gas += t.leaf ? leaf_gas(t, g) : 3;
                break;
            }
            case Step::Kind::dup:
            case Step::Kind::swap:
                gas += 3;
                break;
            case Step::Kind::pop:
                gas += 2;
                break;
            case Step::Kind::exec:
                break;
        }
    }
    return gas;
}

void verify_schedule(const Plan& p, const std::vector<Step>& steps) {
    std::vector<int> stack;
    std::vector<bool> done(p.tasks.size(), false);
    const auto fail = [](const std::string& what) { throw std::logic_error("scheduler: " + what); };
    for (auto it = p.residents.rbegin(); it != p.residents.rend(); ++it) stack.push_back(*it);
    for (auto it = p.entry.rbegin(); it != p.entry.rend(); ++it) stack.push_back(*it);
    const auto same = [&](int have, int want) {
        if (have == want) return true;
        const Task& h = p.tasks[static_cast<std::size_t>(have)];
        const Task& w = p.tasks[static_cast<std::size_t>(want)];
        return h.reload && w.reload && h.node == w.node;
    };
    for (const Step& s : steps) {
        switch (s.kind) {
            case Step::Kind::push: {
                const Task& t = p.tasks[static_cast<std::size_t>(s.arg)];
                if (!t.leaf && !t.resident) fail("push of a value that is not a leaf");
                if (t.reload && !done[static_cast<std::size_t>(t.reload_of_store)]) fail("reload before its store");
                stack.push_back(s.arg);
                break;
            }
            case Step::Kind::dup:
                if (s.arg < 1 || s.arg > 16 || static_cast<std::size_t>(s.arg) > stack.size()) fail("DUP out of range");
                stack.push_back(stack[stack.size() - static_cast<std::size_t>(s.arg)]);
                break;
            case Step::Kind::swap:
                if (s.arg < 1 || s.arg > 16 || static_cast<std::size_t>(s.arg) + 1 > stack.size()) fail("SWAP out of range");
                std::swap(stack.back(), stack[stack.size() - 1 - static_cast<std::size_t>(s.arg)]);
                break;
            case Step::Kind::pop:
                if (stack.empty()) fail("POP of nothing");
                stack.pop_back();
                break;
            case Step::Kind::exec: {
                const auto index = static_cast<std::size_t>(s.arg);
                const Task& t = p.tasks[index];
                if (done[index]) fail("a task runs twice");
                for (const int a : t.after) {
                    if (!done[static_cast<std::size_t>(a)]) fail("order of effects");
                }
                const std::size_t n = t.args.size();
                if (stack.size() < n) fail("operands missing");
                std::vector<int> have;
                for (std::size_t i = 0; i < n; ++i) have.push_back(stack[stack.size() - 1 - i]);
                bool match = true;
                for (std::size_t i = 0; i < n; ++i) match = match && same(have[i], t.args[i]);
                if (!match && t.commutative && n >= 2) {
                    std::swap(have[0], have[1]);
                    match = true;
                    for (std::size_t i = 0; i < n; ++i) match = match && same(have[i], t.args[i]);
                }
                if (!match) fail("wrong operands");
                stack.resize(stack.size() - n);
                if (t.result) stack.push_back(s.arg);
                done[index] = true;
                break;
            }
        }
    }
    for (const int t : p.order) {
        if (!done[static_cast<std::size_t>(t)]) fail("a task is missing");
    }
    std::vector<int> want;
    for (auto it = p.residents.rbegin(); it != p.residents.rend(); ++it) want.push_back(*it);
    for (auto it = p.exit.rbegin(); it != p.exit.rend(); ++it) want.push_back(*it);
    if (want.size() != stack.size()) fail("height at exit");
    for (std::size_t i = 0; i < want.size(); ++i) {
        if (!same(stack[i], want[i])) fail("layout at exit");
    }
}

}  // namespace postern::codegen
