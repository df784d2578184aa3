#pragma once

// Direct evaluation of a block's graph, without scheduling.

#include <map>

#include "codegen/block.hpp"
#include "codegen/graph.hpp"

namespace postern::test {

class Interpreter {
  public:
    explicit Interpreter(codegen::Block& b) : g_(b.graph()) {}
    void set(codegen::Value v, const U256& word) {
        words_.clear();
        inputs_[v.id()] = word;
    }
    U256 operator()(codegen::Value v) { return eval(v.id()); }

  private:
    U256 eval(std::uint32_t id) {
        if (const auto it = inputs_.find(id); it != inputs_.end()) return it->second;
        if (const auto it = words_.find(id); it != words_.end()) return it->second;
        const codegen::Node& n = g_.at(id);
        U256 r;
        if (n.known) {
            r = n.value;
        } else if (n.kind == codegen::Kind::alias) {
            r = eval(n.args[0]);
        } else {
            std::vector<U256> args;
            for (const std::uint32_t a : n.args) args.push_back(eval(a));
            r = codegen::evaluate(n.op, args).value();
        }
        return words_[id] = r;
    }
    const codegen::Graph& g_;
    std::map<std::uint32_t, U256> inputs_;
    std::map<std::uint32_t, U256> words_;
};

}  // namespace postern::test
