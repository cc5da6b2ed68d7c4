// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/formats/format.h"
#include "engine/policy/products.h"
#include "engine/policy/resolve.h"
#include "engine/wire/casts.h"
#include "engine/wire/comparison.h"
#include "engine/wire/profile.h"
#include "engine/wire/records.h"
#include "engine/wire/silent_fault.h"
#include "engine/wire/trial.h"

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace binade::wire {

/// Names of an enum's values on the wire and in run files. Names may be added, never renamed.
template <class Enum>
struct EnumWords;

template <class Enum>
concept Worded = requires {
  EnumWords<Enum>::kAll;
};

/// Name of a value; empty for a number that is no value of the enum.
template <Worded Enum>
constexpr std::string_view word(Enum value) {
  for (const auto& [each, text] : EnumWords<Enum>::kAll) {
    if (each == value) return text;
  }
  return {};
}

/// Value with the name `text`; empty if there is none.
template <Worded Enum>
constexpr std::optional<Enum> from_word(std::string_view text) {
  for (const auto& [each, known] : EnumWords<Enum>::kAll) {
    if (known == text) return each;
  }
  return std::nullopt;
}

template <class Enum, std::size_t N>
using Words = std::array<std::pair<Enum, std::string_view>, N>;

template <>
struct EnumWords<WatchedTensor::Kind> {
  using enum WatchedTensor::Kind;
  static constexpr Words<WatchedTensor::Kind, 6> kAll{{{kOutput, "output"},
                                                       {kOutputGradient, "output_gradient"},
                                                       {kInputGradient, "input_gradient"},
                                                       {kInput, "input"},
                                                       {kParameter, "parameter"},
                                                       {kParameterGradient, "parameter_gradient"}}};
};

template <>
struct EnumWords<Event::Kind> {
  using enum Event::Kind;
  static constexpr Words<Event::Kind, 9> kAll{{{kGradientOverflow, "gradient_overflow"},
                                               {kForwardOverflow, "forward_overflow"},
                                               {kNonFiniteLoss, "non_finite_loss"},
                                               {kScaleWarning, "scale_warning"},
                                               {kDiverged, "diverged"},
                                               {kOutOfMemory, "out_of_memory"},
                                               {kFixHeld, "fix_held"},
                                               {kFixFailed, "fix_failed"},
                                               {kSilent, "silent"}}};
};

template <>
struct EnumWords<Fix::Outcome> {
  using enum Fix::Outcome;
  static constexpr Words<Fix::Outcome, 6> kAll{{{kNone, "none"},
                                                {kFinite, "finite"},
                                                {kNextToo, "next_too"},
                                                {kNoOverflow, "no_overflow"},
                                                {kLost, "lost"},
                                                {kReduced, "reduced"}}};
};

template <>
struct EnumWords<NotFinite::Loss> {
  using enum NotFinite::Loss;
  static constexpr Words<NotFinite::Loss, 3> kAll{{{kFinite, "finite"}, {kInfinite, "infinite"}, {kNaN, "nan"}}};
};

template <>
struct EnumWords<Direction> {
  using enum Direction;
  static constexpr Words<Direction, 2> kAll{{{kForward, "forward"}, {kBackward, "backward"}}};
};

template <>
struct EnumWords<Root::Fault> {
  using enum Root::Fault;
  static constexpr Words<Root::Fault, 9> kAll{{{kOverflow, "overflow"},
                                               {kCast, "cast"},
                                               {kInvalid, "invalid"},
                                               {kSum, "sum"},
                                               {kData, "data"},
                                               {kParameter, "parameter"},
                                               {kBuffer, "buffer"},
                                               {kUnknown, "unknown"},
                                               {kLost, "lost"}}};
};

template <>
struct EnumWords<Verdict> {
  using enum Verdict;
  static constexpr Words<Verdict, 15> kAll{{{kBenign, "benign"},
                                            {kNoScaleWorks, "no_scale_works"},
                                            {kOverflowAtSite, "overflow_at_site"},
                                            {kCastOverflow, "cast_overflow"},
                                            {kForwardOverflow, "forward_overflow"},
                                            {kInvalidOperation, "invalid_operation"},
                                            {kNonFiniteData, "non_finite_data"},
                                            {kNonFiniteParameter, "non_finite_parameter"},
                                            {kPoisonedBuffer, "poisoned_buffer"},
                                            {kPropagatedOnly, "propagated_only"},
                                            {kUndetermined, "undetermined"},
                                            {kScaleHeld, "scale_held"},
                                            {kLostValue, "lost_value"},
                                            {kLearningRate, "learning_rate"},
                                            {kHugeData, "huge_data"}}};
};

template <>
struct EnumWords<ReferenceNote::Kind> {
  using enum ReferenceNote::Kind;
  static constexpr Words<ReferenceNote::Kind, 7> kAll{{{kLiftedCast, "lifted_cast"},
                                                       {kLowResult, "low_result"},
                                                       {kParameter, "parameter"},
                                                       {kBuffer, "buffer"},
                                                       {kInput, "input"},
                                                       {kOpaque, "opaque"},
                                                       {kCastsKept, "casts_kept"}}};
};

template <>
struct EnumWords<TensorVerdict::Kind> {
  using enum TensorVerdict::Kind;
  static constexpr Words<TensorVerdict::Kind, 10> kAll{{{kUsed, "used"},
                                                        {kNoGpu, "no-gpu"},
                                                        {kNotMatrix, "not-matrix"},
                                                        {kEmulated, "emulated"},
                                                        {kFormat, "format"},
                                                        {kDimensions, "dimensions"},
                                                        {kTooSmall, "too-small"},
                                                        {kMemoryBound, "memory-bound"},
                                                        {kNotMeasured, "not-measured"},
                                                        {kUnexplained, "unexplained"}}};
};

template <>
struct EnumWords<CastLine::Cause> {
  using enum CastLine::Cause;
  static constexpr Words<CastLine::Cause, 4> kAll{
      {{kBaseList, "base_list"}, {kSiteRule, "site_rule"}, {kOpChange, "op_change"}, {kOwnBlock, "own_block"}}};
};

template <>
struct EnumWords<ControlInfo::Kind> {
  using enum ControlInfo::Kind;
  static constexpr Words<ControlInfo::Kind, 3> kAll{{{kIf, "if"}, {kElse, "else"}, {kLoop, "loop"}}};
};

template <>
struct EnumWords<SilentFault::Kind> {
  using enum SilentFault::Kind;
  static constexpr Words<SilentFault::Kind, 15> kAll{{{kUnderflow, "underflow"},
                                                      {kUpdateLost, "update_lost"},
                                                      {kDeadSite, "dead_site"},
                                                      {kLossSpike, "loss_spike"},
                                                      {kLargeLogits, "large_logits"},
                                                      {kInexactIntegers, "inexact_integers"},
                                                      {kLowState, "low_state"},
                                                      {kVanishedOverflow, "vanished_overflow"},
                                                      {kLostSum, "lost_sum"},
                                                      {kLowScale, "low_scale"},
                                                      {kStaleScale, "stale_scale"},
                                                      {kSaturated, "saturated"},
                                                      {kDeadBlocks, "dead_blocks"},
                                                      {kBiasedRounding, "biased_rounding"},
                                                      {kOutlierBlocks, "outlier_blocks"}}};
};

template <>
struct EnumWords<SilentFault::Unit> {
  using enum SilentFault::Unit;
  static constexpr Words<SilentFault::Unit, 20> kAll{{{kOutputNorm, "output_norm"},
                                                      {kGradientNorm, "gradient_norm"},
                                                      {kArgumentNorm, "argument_norm"},
                                                      {kOutputError, "output_error"},
                                                      {kGradientError, "gradient_error"},
                                                      {kOutput, "output"},
                                                      {kGradient, "gradient"},
                                                      {kUpdateNorm, "update_norm"},
                                                      {kWeights, "weights"},
                                                      {kNumbers, "numbers"},
                                                      {kStateNumbers, "state_numbers"},
                                                      {kStateChange, "state_change"},
                                                      {kSoftmaxWeight, "softmax_weight"},
                                                      {kLoss, "loss"},
                                                      {kSumError, "sum_error"},
                                                      {kSteps, "steps"},
                                                      {kValues, "values"},
                                                      {kLaterValues, "later_values"},
                                                      {kBlocks, "blocks"},
                                                      {kMean, "mean"}}};
};

template <>
struct EnumWords<SilentGap::Reason> {
  using enum SilentGap::Reason;
  static constexpr Words<SilentGap::Reason, 10> kAll{{{kFusedLogits, "fused_logits"},
                                                      {kRoundedTensors, "rounded_tensors"},
                                                      {kBounds, "bounds"},
                                                      {kDeadSites, "dead_sites"},
                                                      {kNoOpCalls, "no_op_calls"},
                                                      {kSuspected, "suspected"},
                                                      {kMoreSuspected, "more_suspected"},
                                                      {kUnmeasured, "unmeasured"},
                                                      {kMoreUnmeasured, "more_unmeasured"},
                                                      {kCutSum, "cut_sum"}}};
};

template <>
struct EnumWords<Outcome> {
  using enum Outcome;
  static constexpr Words<Outcome, 4> kAll{
      {{kCompleted, "completed"}, {kStopped, "stopped"}, {kCancelled, "cancelled"}, {kFailed, "failed"}}};
};

template <>
struct EnumWords<TrialVerdict> {
  using enum TrialVerdict;
  static constexpr Words<TrialVerdict, 6> kAll{{{kInsideNoise, "inside_noise"},
                                                {kBetter, "better"},
                                                {kWorse, "worse"},
                                                {kDiverged, "diverged"},
                                                {kDoesNotRun, "does_not_run"},
                                                {kUnknown, "unknown"}}};
};

template <>
struct EnumWords<RunState> {
  using enum RunState;
  static constexpr Words<RunState, 5> kAll{
      {{kIdle, "idle"}, {kLoading, "loading"}, {kRunning, "running"}, {kPaused, "paused"}, {kFinished, "finished"}}};
};

template <>
struct EnumWords<policy::Decision::Kind> {
  using enum policy::Decision::Kind;
  static constexpr Words<policy::Decision::Kind, 7> kAll{{{kFormat, "format"},
                                                          {kPromote, "promote"},
                                                          {kFollow, "follow"},
                                                          {kSetDtype, "set_dtype"},
                                                          {kAppendDtype, "append_dtype"},
                                                          {kBanned, "banned"},
                                                          {kLeave, "leave"}}};
};

template <>
struct EnumWords<policy::Finding::Severity> {
  using enum policy::Finding::Severity;
  static constexpr Words<policy::Finding::Severity, 2> kAll{{{kNote, "note"}, {kWarning, "warning"}}};
};

template <>
struct EnumWords<policy::Product> {
  using enum policy::Product;
  static constexpr Words<policy::Product, 3> kAll{
      {{kForward, "forward"}, {kGradInput, "grad_input"}, {kGradWeight, "grad_weight"}}};
};

template <>
struct EnumWords<policy::Operand> {
  using enum policy::Operand;
  static constexpr Words<policy::Operand, 3> kAll{{{kInput, "input"}, {kWeight, "weight"}, {kGradient, "gradient"}}};
};

template <>
struct EnumWords<policy::Execution> {
  using enum policy::Execution;
  static constexpr Words<policy::Execution, 3> kAll{{{kAuto, "auto"}, {kNative, "native"}, {kEmulated, "emulated"}}};
};

template <>
struct EnumWords<formats::Overflow> {
  using enum formats::Overflow;
  static constexpr Words<formats::Overflow, 2> kAll{{{kInfinity, "infinity"}, {kSaturate, "saturate"}}};
};

}  // namespace binade::wire
