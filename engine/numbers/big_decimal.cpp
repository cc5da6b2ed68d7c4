// SPDX-License-Identifier: Apache-2.0
#include "engine/numbers/big_decimal.h"

#include "engine/numbers/typed_text.h"

#include <algorithm>
#include <charconv>
#include <utility>

namespace binade::numbers {

namespace {

using Limbs = std::vector<std::uint32_t>;

constexpr std::uint32_t kLimb = 1'000'000'000;
constexpr int kLimbDigits = 9;

bool is_smaller(const Limbs& a, const Limbs& b) {
  if (a.size() != b.size()) return a.size() < b.size();
  return std::lexicographical_compare(a.rbegin(), a.rend(), b.rbegin(), b.rend());
}

void add_limbs(Limbs& sum, const Limbs& addend) {
  sum.resize(std::max(sum.size(), addend.size()) + 1);
  std::uint32_t carry = 0;
  for (std::size_t i = 0; i < sum.size(); ++i) {
    const std::uint32_t limb = sum[i] + (i < addend.size() ? addend[i] : 0u) + carry;
    carry = limb >= kLimb ? 1u : 0u;
    sum[i] = limb - carry * kLimb;
  }
}

/// Subtracts a number that is not larger.
void subtract_limbs(Limbs& difference, const Limbs& subtrahend) {
  std::uint32_t borrow = 0;
  for (std::size_t i = 0; i < difference.size(); ++i) {
    const std::uint32_t taken = (i < subtrahend.size() ? subtrahend[i] : 0u) + borrow;
    borrow = difference[i] < taken ? 1u : 0u;
    difference[i] += borrow * kLimb - taken;
  }
}

/// Removes an exponent behind one of two letters from the end of `literal`; 0 if there is none, empty if it is too
/// large.
std::optional<int> take_exponent(std::string_view& literal, std::string_view letters) {
  const std::size_t at = literal.find_first_of(letters);
  if (at == std::string_view::npos) return 0;
  std::string_view digits = literal.substr(at + 1);
  literal = literal.substr(0, at);
  if (digits.starts_with('+')) digits.remove_prefix(1);
  int exponent = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), exponent);
  const bool inside = exponent >= -BigDecimal::kMostExponent && exponent <= BigDecimal::kMostExponent;
  return error == std::errc() && inside ? std::optional(exponent) : std::nullopt;
}

}  // namespace

std::optional<int> BigDecimal::exponent_of(std::string_view literal) {
  return take_exponent(literal, literal.starts_with("0x") ? "pP" : "eE");
}

std::optional<BigDecimal> BigDecimal::from_literal(std::string_view literal) {
  const bool hexadecimal = literal.starts_with("0x");
  if (hexadecimal) literal.remove_prefix(2);
  const std::optional<int> exponent = take_exponent(literal, hexadecimal ? "pP" : "eE");
  if (!exponent) return std::nullopt;
  BigDecimal number;
  int places = 0;  // digits behind the point
  bool behind_point = false;
  for (const char each : literal) {
    if (each == '.') {
      behind_point = true;
      continue;
    }
    number.add_digit(hexadecimal ? 16 : 10, static_cast<std::uint32_t>(hex_digit(each)));
    if (behind_point) ++places;
  }
  if (hexadecimal)
    number.multiply_by_power_of_two(*exponent - 4 * places);
  else
    number.multiply_by_power_of_ten(*exponent - places);
  return number;
}

void BigDecimal::negate() {
  negative_ = !negative_;
}

BigDecimal& BigDecimal::operator+=(const BigDecimal& other) {
  BigDecimal addend = other;
  const int shift = std::min(shift_, addend.shift_);
  align(shift);
  addend.align(shift);
  if (negative_ == addend.negative_) {
    add_limbs(limbs_, addend.limbs_);
  } else {
    if (is_smaller(limbs_, addend.limbs_)) std::swap(*this, addend);
    subtract_limbs(limbs_, addend.limbs_);
  }
  trim();
  if (limbs_.empty()) negative_ = false;
  return *this;
}

BigDecimal& BigDecimal::operator*=(const BigDecimal& other) {
  Limbs product(limbs_.size() + other.limbs_.size());
  for (std::size_t i = 0; i < limbs_.size(); ++i) {
    std::uint64_t carry = 0;
    for (std::size_t j = 0; j < other.limbs_.size(); ++j) {
      const std::uint64_t limb = std::uint64_t{limbs_[i]} * other.limbs_[j] + product[i + j] + carry;
      product[i + j] = static_cast<std::uint32_t>(limb % kLimb);
      carry = limb / kLimb;
    }
    product[i + other.limbs_.size()] = static_cast<std::uint32_t>(carry);
  }
  limbs_ = std::move(product);
  shift_ += other.shift_;
  negative_ = negative_ != other.negative_;
  trim();
  return *this;
}

std::string BigDecimal::literal() const {
  std::string text = negative_ ? "-" : "";
  if (limbs_.empty()) return text + "0";
  text += std::to_string(limbs_.back());
  for (auto limb = limbs_.rbegin() + 1; limb != limbs_.rend(); ++limb) {
    const std::string digits = std::to_string(*limb);
    text.append(kLimbDigits - digits.size(), '0').append(digits);
  }
  return text + "e" + std::to_string(kLimbDigits * shift_);
}

void BigDecimal::multiply(std::uint32_t factor) {
  add_digit(factor, 0);
}

void BigDecimal::add_digit(std::uint32_t base, std::uint32_t digit) {
  std::uint64_t carry = digit;
  for (std::uint32_t& limb : limbs_) {
    carry += std::uint64_t{limb} * base;
    limb = static_cast<std::uint32_t>(carry % kLimb);
    carry /= kLimb;
  }
  if (carry != 0) limbs_.push_back(static_cast<std::uint32_t>(carry));
}

void BigDecimal::multiply_by_power_of_ten(int power) {
  for (; power % kLimbDigits != 0; --power) multiply(10);
  shift_ += power / kLimbDigits;
}

void BigDecimal::multiply_by_power_of_two(int power) {
  for (int i = 0; i < power; ++i) multiply(2);
  for (int i = 0; i < -power; ++i) multiply(5);
  if (power < 0) multiply_by_power_of_ten(power);  // 1/2 is 5/10
}

void BigDecimal::align(int shift) {
  limbs_.insert(limbs_.begin(), static_cast<std::size_t>(shift_ - shift), 0u);
  shift_ = shift;
}

void BigDecimal::trim() {
  while (!limbs_.empty() && limbs_.back() == 0) limbs_.pop_back();
}

}  // namespace binade::numbers
