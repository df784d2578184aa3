#include <fmt/format.h>

#include <ostream>

#include "core/hex.hpp"
#include "evm/opcodes.hpp"
#include "evm/words.hpp"

namespace postern::evm {

struct JsonLinesTracer::Impl {
    std::ostream& out;
    std::string line;  // of the step in progress, without its cost
};

JsonLinesTracer::JsonLinesTracer(std::ostream& out) : impl_(std::make_unique<Impl>(Impl{out, {}})) {}
JsonLinesTracer::~JsonLinesTracer() = default;

void JsonLinesTracer::before_step(const Step& step) {
    std::string stack;
    for (std::size_t i = step.stack_size; i-- > 0;) {
        if (!stack.empty()) stack += ',';
        stack += '"' + to_hex_0x(to_u256(step.stack(i))) + '"';
    }
    impl_->line = fmt::format(R"("memSize":{},"stack":[{}],"depth":{},"refund":{},"opName":"{}")", step.memory_size, stack, step.depth,
                              step.refund, info(step.op).name.empty() ? "UNDEFINED" : info(step.op).name);
}

void JsonLinesTracer::after_step(const Step& step, Halt halt) {
    impl_->out << fmt::format(R"({{"pc":{},"op":{},"gas":"{:#x}","gasCost":"{:#x}",{})", step.pc, step.op, step.gas, step.gas_cost,
                              impl_->line);
    if (halt != Halt::none) impl_->out << fmt::format(R"(,"error":"{}")", name(halt));
    impl_->out << "}\n";
}

void JsonLinesTracer::finish(const ExecutionResult& result) {
    impl_->out << fmt::format(R"({{"output":"{}","gasUsed":"{:#x}","pass":{}}})", to_hex_0x(result.output), result.exec_gas,
                              result.success())
               << '\n';
}

}  // namespace postern::evm
