#include <fmt/format.h>

#include <algorithm>

#include "codegen/block.hpp"
#include "codegen/graph.hpp"
#include "codegen/plan.hpp"

namespace postern::codegen {
namespace {

std::string describe(const Graph& g, const Task& t) {
    const Node& n = g.at(t.node);
    if (t.spill_store) return "spill";
    switch (n.kind) {
        case Kind::constant:
            return n.value.fits_u64() && n.value.low64() < 100000 ? std::to_string(n.value.low64()) : "const";
        case Kind::label:
            return "label";
        case Kind::environment:
            return std::string(evm::name(n.op));
        case Kind::entry:
            return n.name;
        case Kind::macro:
            return n.name;
        default:
            return fmt::format("v{}", t.node);
    }
}

class Emitter {
  public:
    Emitter(const Plan& p, const Graph& g, Assembler& a, bool annotate) : p_(p), g_(g), a_(a), annotate_(annotate) {}

    void run(const std::vector<Step>& steps, CostReport& report) {
        std::vector<int> stack;
        for (auto it = p_.residents.rbegin(); it != p_.residents.rend(); ++it) stack.push_back(*it);
        for (auto it = p_.entry.rbegin(); it != p_.entry.rend(); ++it) stack.push_back(*it);
        if (annotate_) a_.comment("block " + g_.name);
        const std::size_t bytes = a_.size_estimate();
        for (const Step& s : steps) {
            switch (s.kind) {
                case Step::Kind::push:
                    push(task(s.arg), report);
                    stack.push_back(s.arg);
                    break;
                case Step::Kind::dup:
                    a_.dup(static_cast<unsigned>(s.arg));
                    stack.push_back(stack[stack.size() - static_cast<std::size_t>(s.arg)]);
                    ++report.dups;
                    break;
                case Step::Kind::swap:
                    a_.swap(static_cast<unsigned>(s.arg));
                    std::swap(stack.back(), stack[stack.size() - 1 - static_cast<std::size_t>(s.arg)]);
                    ++report.swaps;
                    break;
                case Step::Kind::pop:
                    a_.op(Op::POP);
                    stack.pop_back();
                    ++report.pops;
                    break;
                case Step::Kind::exec: {
                    const Task& t = task(s.arg);
                    if (g_.at(t.node).early && !t.spill_store)
                        constant(t, stack, report);
                    else
                        execute(t, report);
                    stack.resize(stack.size() - t.args.size());
                    if (t.result) stack.push_back(s.arg);
                    break;
                }
            }
            report.max_depth = std::max(report.max_depth, static_cast<unsigned>(stack.size()));
            if (annotate_) a_.stack_picture(picture(stack));
        }
        report.bytes = a_.size_estimate() - bytes;
        report.gas = report.operations + report.memory + report.pushes + 3 * (report.dups + report.swaps) + 2 * report.pops;
        report.lower_bound = report.gas - 3 * report.swaps - 2 * report.pops;
    }

  private:
    const Task& task(int i) const { return p_.tasks[static_cast<std::size_t>(i)]; }
    std::uint64_t leaf(const Task& t) const { return t.leaf ? leaf_gas(t, g_) : 3; }

    void push(const Task& t, CostReport& report) {
        const Node& n = g_.at(t.node);
        report.pushes += leaf(t);
        if (t.reload) {
            a_.push(U256{t.spill_address});
            a_.op(Op::MLOAD);
        } else if (n.known) {
            a_.push(n.value);
        } else if (n.kind == Kind::label) {
            a_.push_label(n.label);
        } else {
            a_.op(n.op);
        }
    }

    /// A copy of the resident with the same value, or a push.
    void constant(const Task& t, const std::vector<int>& stack, CostReport& report) {
        const U256& value = g_.at(t.node).value;
        for (unsigned depth = 1; depth <= 16 && depth <= stack.size(); ++depth) {
            const Task& o = task(stack[stack.size() - depth]);
            const Node& n = g_.at(o.node);
            if (!o.resident || !n.known || !(n.value == value)) continue;
            a_.dup(depth);
            ++report.dups;
            return;
        }
        a_.push(value);
        report.pushes += value.is_zero() ? 2 : 3;
    }

    void execute(const Task& t, CostReport& report) {
        if (t.spill_store) {
            a_.push(U256{t.spill_address});
            a_.op(Op::MSTORE);
            report.memory += 6;
            ++report.spills;
            return;
        }
        const Node& n = g_.at(t.node);
        if (annotate_ && !n.note.empty() && n.note != last_note_) {
            a_.comment(n.note);
            last_note_ = n.note;
        }
        if (n.kind == Kind::macro) {
            n.emit(a_);
            report.operations += n.gas;
        } else {
            a_.op(n.op);
            (n.pinned_order ? report.memory : report.operations) += evm::base_gas(n.op);
        }
    }

    std::string picture(const std::vector<int>& stack) const {
        std::string out;
        const std::size_t shown = std::min<std::size_t>(stack.size(), 8);
        for (std::size_t i = 0; i < shown; ++i) out += (i == 0 ? "" : " ") + describe(g_, task(stack[stack.size() - 1 - i]));
        if (stack.size() > shown) out += fmt::format(" +{}", stack.size() - shown);
        return out;
    }

    const Plan& p_;
    const Graph& g_;
    Assembler& a_;
    bool annotate_;
    std::string last_note_;
};

std::uint64_t search_cost(const Plan& p, const Graph& g, const std::vector<Step>& steps) { return traffic_gas(p, g, steps); }

}  // namespace

std::string CostReport::to_string() const {
    return fmt::format(
        "{}: gas {} (bound {}), bytes {}, operations {}, memory {}, pushes {}, dups {}, swaps {}, pops {}, spills {}, depth {}", block, gas,
        lower_bound, bytes, operations, memory, pushes, 3 * dups, 3 * swaps, 2 * pops, spills, max_depth);
}

CostReport schedule(Block& block, Assembler& assembler, const ScheduleOptions& options) {
    const Graph& g = block.graph();
    std::vector<std::uint32_t> spilled;
    std::optional<std::vector<Step>> best;
    Plan plan;
    for (;;) {
        plan = Plan::build(g, spilled, options.spill);
        try {
            best = follow_order(plan, plan.order);
            break;
        } catch (const OutOfReach& e) {
            if (options.beam_width > 0) {
                for (const unsigned w : options.height_weights) {
                    best = beam_search(plan, options, w + 10);
                    if (best) break;
                }
                if (best) break;
            }
            const std::uint32_t node = plan.tasks[static_cast<std::size_t>(e.task)].node;
            const std::string who = describe(g, plan.tasks[static_cast<std::size_t>(e.task)]);
            if (!options.spill)
                throw Error(fmt::format("kernel {}: {} is more than 16 stack slots away and there is no spill area", g.name, who));
            if (std::find(spilled.begin(), spilled.end(), node) != spilled.end())
                throw Error(fmt::format("kernel {}: {} cannot be brought within reach", g.name, who));
            if ((spilled.size() + 1) * 32 > options.spill->size)
                throw Error(fmt::format("kernel {}: spill area {} is full", g.name, options.spill->name));
            spilled.push_back(node);
        }
    }
    if (options.beam_width > 0) {
        std::uint64_t cost = search_cost(plan, g, *best);
        for (const unsigned w : options.height_weights) {
            auto found = beam_search(plan, options, w);
            if (!found) continue;
            const std::uint64_t c = search_cost(plan, g, *found);
            if (c < cost) {
                cost = c;
                best = std::move(found);
            }
        }
    }
    verify_schedule(plan, *best);
    CostReport report;
    report.block = g.name;
    Emitter(plan, g, assembler, options.annotate).run(*best, report);
    return report;
}

}  // namespace postern::codegen
