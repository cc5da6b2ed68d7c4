// SPDX-License-Identifier: Apache-2.0
#include "engine/diagnose/cause_text.h"

#include "engine/words/numbers.h"

namespace binade::diagnose {

namespace {

using Kind = InvalidOperation::Kind;

/// `: 3 of 32 are 0`
std::string counted(const InvalidOperation& why, const char* one, const char* several) {
  return ": " + std::to_string(why.count) + " of " + std::to_string(why.of) + " " + (why.count == 1 ? one : several);
}

std::string rows(const InvalidOperation& why, const char* what) {
  return std::string(what) + ": " + std::to_string(why.count) + " of " + std::to_string(why.of) +
         (why.of == 1 ? " row" : " rows");
}

}  // namespace

std::string text_of(const InvalidOperation& why) {
  switch (why.kind) {
    case Kind::kLogOfZero:
      return "the logarithm of 0" + counted(why, "is 0", "are 0");
    case Kind::kLogOfNegative:
      return "the logarithm of a number below 0" + counted(why, "is below 0", "are below 0");
    case Kind::kDivisionByZero:
      return "a division by 0" + counted(why, "is 0", "are 0");
    case Kind::kZeroByZero:
      return "0 divided by 0" + counted(why, "divisor is 0", "divisors are 0");
    case Kind::kInfinityByInfinity:
      return "an infinity divided by an infinity";
    case Kind::kInfinityTimesZero:
      return "an infinity times 0";
    case Kind::kBothSigns:
      return "infinities of both signs added";
    case Kind::kRootOfNegative:
      return "the root of a number below 0" + counted(why, "is below 0", "are below 0");
    case Kind::kOutsideOfDomain:
      return "values outside of where the op is defined: " + std::to_string(why.count) + " of " +
             std::to_string(why.of);
    case Kind::kPole:
      return "values where the op is infinite: " + std::to_string(why.count) + " of " + std::to_string(why.of);
    case Kind::kAllMasked:
      return rows(why, "values that are all masked, with -inf");
    case Kind::kInfiniteRow:
      return rows(why, "a softmax over a row that holds +inf");
    case Kind::kMaskedLabel:
      return "the logit of the right class is -inf: of " + std::to_string(why.count) + " of " + std::to_string(why.of) +
             (why.of == 1 ? " label" : " labels");
    case Kind::kNoValues:
      return "the mean of no values";
    case Kind::kTooFewValues:
      return "the variance of a single value";
    case Kind::kInfiniteArgument:
      return "its argument " + why.argument + " holds infinities: " + std::to_string(why.count) + " of " +
             std::to_string(why.of);
    case Kind::kAskedFor:
      return "an infinity requested by the op call reached the loss";
    case Kind::kSlopeAtZero:
      return "its slope at 0 is infinite" + counted(why, "is 0", "are 0");
    case Kind::kUnknown:
      break;
  }
  return {};
}

std::string text_of(const Lost& lost) {
  if (lost.to != 0) {
    return std::to_string(lost.count) + " of " + std::to_string(lost.of) + (lost.of == 1 ? " value" : " values");
  }
  if (lost.constant) return "the constant " + words::figure(*lost.constant) + " is 0 there";
  return std::to_string(lost.count) + " of " + std::to_string(lost.of) +
         (lost.count == 1 ? " values was too small for it" : " values were too small for it");
}

std::string only_below_one_text(bool has_rules) {
  const std::string text =
      "Only a loss scale below 1 makes this step finite. Such a scale reduces gradients instead of enlarging them";
  return text + (has_rules ? ": the op call needs a wider format." : ", and no wider format of op calls helps.");
}

}  // namespace binade::diagnose
