#include <postern/evm.hpp>

namespace postern::evm {

std::string_view name(Halt halt) {
    switch (halt) {
        case Halt::none:
            return "none";
        case Halt::out_of_gas:
            return "out of gas";
        case Halt::stack_underflow:
            return "stack underflow";
        case Halt::stack_overflow:
            return "stack overflow";
        case Halt::invalid_jump:
            return "invalid jump destination";
        case Halt::undefined_opcode:
            return "undefined opcode";
        case Halt::invalid_opcode:
            return "INVALID opcode";
        case Halt::invalid_immediate:
            return "invalid immediate";
        case Halt::static_violation:
            return "state change in a static call";
        case Halt::return_data_bounds:
            return "return data out of bounds";
        case Halt::create_collision:
            return "contract address collision";
        case Halt::nonce_overflow:
            return "nonce overflow";
        case Halt::code_size_limit:
            return "code size limit exceeded";
        case Halt::init_code_size_limit:
            return "init code size limit exceeded";
        case Halt::code_first_byte:
            return "new code starts with 0xef";
        case Halt::precompile_failure:
            return "precompile failure";
        case Halt::insufficient_balance:
            return "insufficient balance";
        case Halt::call_depth:
            return "call depth exceeded";
        case Halt::not_implemented:
            return "precompile not implemented";
    }
    return "unknown";
}

std::string_view name(Status status) {
    switch (status) {
        case Status::success:
            return "success";
        case Status::revert:
            return "revert";
        case Status::halt:
            return "halt";
        case Status::invalid:
            return "invalid";
    }
    return "unknown";
}

}  // namespace postern::evm
