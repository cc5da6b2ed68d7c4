// SPDX-License-Identifier: Apache-2.0
#include "engine/numbers/big_decimal.h"
#include "engine/numbers/parse_number.h"
#include "engine/numbers/round_to_odd.h"
#include "engine/numbers/typed_text.h"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <utility>
#include <vector>

namespace binade::numbers {

namespace {

constexpr const char* kForms = "Type a number such as 65504, 1e-5, 0x1.8p-3, 2^-24 or 1+2^-12.";

/// One term of a sum: literals without sign, as strtod() reads them, to be multiplied.
struct Product {
  bool negative = false;
  std::vector<std::string> factors;
};

/// Reads a sum of products. Throws NotANumber at the first character that does not fit.
class SumReader {
 public:
  explicit SumReader(std::string_view text) : text_(text) {}

  std::vector<Product> read() {
    std::vector<Product> sum;
    char sign = take_any_of("+-");
    do {
      sum.push_back(read_product(sign == '-'));
      sign = take_any_of("+-");
    } while (sign != '\0');
    if (at_ != text_.size()) fail("the number should end");
    return sum;
  }

 private:
  Product read_product(bool negative) {
    Product product{negative, {read_factor()}};
    while (take_any_of("*") != '\0') product.factors.push_back(read_factor());
    return product;
  }

  /// A literal or a power. A power of 2 or 10 becomes a literal with an exponent.
  std::string read_factor() {
    skip_spaces();
    std::string literal = read_literal();
    if (take_any_of("^") == '\0') return literal;
    if (literal != "2" && literal != "10") {
      throw NotANumber{shown(text_) + " has a power of " + literal + ", and only powers of 2 and 10 are possible.",
                       kForms};
    }
    skip_spaces();
    return (literal == "2" ? "0x1p" : "1e") + read_exponent();
  }

  std::string read_literal() {
    if (peek() == '0' && (peek(1) == 'x' || peek(1) == 'X')) return read_hexadecimal();
    std::string literal = read_mantissa(/*hexadecimal=*/false, "a number is expected");
    if (peek() != 'e' && peek() != 'E') return literal;
    ++at_;
    return literal + 'e' + read_exponent();
  }

  std::string read_hexadecimal() {
    at_ += 2;
    std::string literal = "0x" + read_mantissa(/*hexadecimal=*/true, "hexadecimal digits are expected");
    if (peek() != 'p' && peek() != 'P') {
      fail("the binary exponent is expected",
           "Type p0 behind the digits for the number. A bit pattern belongs into the field of bits.");
    }
    ++at_;
    return literal + 'p' + read_exponent();
  }

  std::string read_mantissa(bool hexadecimal, const char* expected) {
    std::string digits = read_digits(hexadecimal);
    std::size_t count = digits.size();
    if (peek() == '.') {
      ++at_;
      const std::string decimals = read_digits(hexadecimal);
      count += decimals.size();
      digits += '.' + decimals;
    }
    if (count == 0) fail(expected);
    return digits;
  }

  std::string read_exponent() {
    const char sign = peek() == '-' || peek() == '+' ? text_[at_++] : '+';
    const std::string digits = read_digits(/*hexadecimal=*/false);
    if (digits.empty()) fail("the digits of an exponent are expected");
    return sign + digits;
  }

  /// Digits, without the `_` or `'` between them.
  std::string read_digits(bool hexadecimal) {
    const auto fits = [&](char each) { return hexadecimal ? hex_digit(each) >= 0 : is_digit(each); };
    std::string digits;
    while (true) {
      const bool groups = (peek() == '_' || peek() == '\'') && !digits.empty() && fits(peek(1));
      if (groups) ++at_;
      if (!fits(peek())) return digits;
      digits += text_[at_++];
    }
  }

  void skip_spaces() {
    while (is_space(peek())) ++at_;
  }

  /// Skips spaces, then takes one of some characters; NUL if there is none.
  char take_any_of(std::string_view characters) {
    skip_spaces();
    if (at_ == text_.size() || characters.find(peek()) == std::string_view::npos) return '\0';
    return text_[at_++];
  }

  char peek(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }

  [[noreturn]] void fail(const std::string& expected, std::string hint = kForms) const {
    if (at_ == text_.size()) throw NotANumber{shown(text_) + " ends where " + expected + ".", std::move(hint)};
    if (peek() == ',') hint = "Type a decimal point as \".\", and group digits by \"_\".";
    const std::string found = shown(first_character(text_.substr(at_)));
    throw NotANumber{shown(text_) + " has " + found + " where " + expected + ".", std::move(hint)};
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

/// Replaces the signs for minus and times that the window writes by those that the keyboard has, and cuts spaces off.
std::string with_plain_signs(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  std::string plain(text);
  const auto replace = [&](std::string_view sign, const char* by) {
    for (std::size_t at = plain.find(sign); at != std::string::npos; at = plain.find(sign, at + 1)) {
      plain.replace(at, sign.size(), by);
    }
  };
  replace("−", "-");
  replace("×", "*");
  return plain;
}

std::optional<double> parse_not_finite(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  std::string word(text);
  std::transform(word.begin(), word.end(), word.begin(),
                 [](char each) { return each >= 'A' && each <= 'Z' ? static_cast<char>(each - 'A' + 'a') : each; });
  using Double = std::numeric_limits<double>;
  if (word == "inf" || word == "infinity" || word == "∞") {
    return negative ? -Double::infinity() : Double::infinity();
  }
  if (word == "nan") return Double::quiet_NaN();
  return std::nullopt;
}

BigDecimal exact_factor(const std::string& literal) {
  std::optional<BigDecimal> factor = BigDecimal::from_literal(literal);
  if (factor) return *std::move(factor);
  const std::string most = std::to_string(BigDecimal::kMostExponent);
  throw NotANumber{"A number of this sum or product has an exponent beyond -" + most + " to " + most + ".",
                   "Type the result as one number."};
}

/// The time of a multiplication grows with the digits, which follow from the exponents.
void check_exponents(const Product& product) {
  constexpr int kMostExponentSum = 2 * BigDecimal::kMostExponent;
  int sum = 0;
  for (const std::string& factor : product.factors) sum += std::abs(BigDecimal::exponent_of(factor).value_or(0));
  if (sum <= kMostExponentSum) return;
  throw NotANumber{"The exponents of a product add up to " + std::to_string(sum) +
                       " without their signs, and at most " + std::to_string(kMostExponentSum) + " are possible.",
                   "Type the result as one number."};
}

BigDecimal exact_product(const Product& product) {
  check_exponents(product);
  BigDecimal result = exact_factor(product.factors.front());
  for (std::size_t i = 1; i < product.factors.size(); ++i) result *= exact_factor(product.factors[i]);
  if (product.negative) result.negate();
  return result;
}

/// The exact value of a sum as one literal.
std::string exact_literal(const std::vector<Product>& sum, std::size_t length) {
  const Product& first = sum.front();
  if (sum.size() == 1 && first.factors.size() == 1) {
    return (first.negative ? "-" : "") + first.factors.front();  // of any length and exponent
  }
  constexpr std::size_t kMostCharacters = 1000;  // keeps the time for exact arithmetic unnoticeable
  if (length > kMostCharacters) {
    throw NotANumber{"The sum or product has " + std::to_string(length) + " characters, and at most " +
                         std::to_string(kMostCharacters) + " are possible.",
                     "Type the result as one number."};
  }
  BigDecimal total = exact_product(first);
  for (std::size_t i = 1; i < sum.size(); ++i) total += exact_product(sum[i]);
  return total.literal();
}

template <class Value>
std::variant<Value, NotANumber> parse_rounded(std::string_view text, Value (*round)(const std::string& literal)) {
  const std::string plain = with_plain_signs(text);
  if (plain.empty()) return NotANumber{"The text is empty.", kForms};
  if (const std::optional<double> value = parse_not_finite(plain)) return Value{*value};
  try {
    return round(exact_literal(SumReader(plain).read(), plain.size()));
  } catch (const NotANumber& wrong) {
    return wrong;
  }
}

}  // namespace

std::variant<Real, NotANumber> parse_real(std::string_view text) {
  return parse_rounded<Real>(text, round_to_odd);
}

std::variant<double, NotANumber> parse_double(std::string_view text) {
  return parse_rounded<double>(text, round_to_nearest);
}

}  // namespace binade::numbers
