// Telling raw bytes, hex and base64 apart.

#include "cli/forms.hpp"

#include <gtest/gtest.h>

#include "cli/failure.hpp"

namespace postern::cli {
namespace {

Bytes bytes(std::string_view text) { return {text.begin(), text.end()}; }

std::vector<Form> forms_of(std::string_view text) {
    std::vector<Form> out;
    for (const auto& r : readings(bytes(text))) out.push_back(r.form);
    return out;
}

TEST(Forms, EveryPossibleReading) {
    EXPECT_EQ(forms_of("hello, world"), std::vector<Form>{Form::raw});
    EXPECT_EQ(forms_of("0xabcd"), (std::vector<Form>{Form::raw, Form::hex}));
    EXPECT_EQ(forms_of("abc"), std::vector<Form>{Form::raw});
    EXPECT_EQ(forms_of("abcd"), (std::vector<Form>{Form::raw, Form::hex, Form::base64}));
    EXPECT_EQ(forms_of("ab\r\ncd\n"), (std::vector<Form>{Form::raw, Form::hex, Form::base64}));
    EXPECT_EQ(forms_of("aGk="), (std::vector<Form>{Form::raw, Form::base64}));
    EXPECT_EQ(forms_of("aGl="), std::vector<Form>{Form::raw}) << "unused bits must be zero";
    EXPECT_EQ(forms_of(std::string_view("ab\0d", 4)), std::vector<Form>{Form::raw});
}

TEST(Forms, AnAmbiguousContentNamesTheChoices) {
    const Bytes text = bytes("abcdabcd");
    const auto of_size = [&](std::size_t size) {
        return pick(
            "file", text, [size](ByteView b) { return b.size() == size; }, "something");
    };
    EXPECT_EQ(of_size(8).form, Form::raw);
    EXPECT_EQ(of_size(4).form, Form::hex);
    EXPECT_EQ(of_size(6).form, Form::base64);
    const auto message = [&](auto fits) {
        try {
            (void)pick("file", text, fits, "something");
        } catch (const Failure& e) {
            EXPECT_EQ(e.code(), Exit::malformed);
            return std::string(e.what());
        }
        return std::string("picked");
    };
    EXPECT_NE(message([](ByteView b) { return b.size() <= 6; }).find("ambiguous: 4 bytes as hex, 6 bytes as base64"), std::string::npos);
    EXPECT_NE(
        message([](ByteView b) { return b.size() == 7; }).find("8 bytes as raw, 4 bytes as hex, 6 bytes as base64; expected something"),
        std::string::npos);
}

TEST(Forms, PemIsToldByItsFirstLine) {
    EXPECT_TRUE(is_pem(bytes("\n -----BEGIN X-----")));
    EXPECT_FALSE(is_pem(bytes("----BEGIN X-----")));
    EXPECT_FALSE(is_pem({}));
}

}  // namespace
}  // namespace postern::cli
