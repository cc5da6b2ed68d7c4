// SPDX-License-Identifier: Apache-2.0
#include "app/present/event_words.h"

#include "app/model/translate.h"
#include "app/present/event_story.h"
#include "engine/words/event_text.h"
#include "views/values/numbers.h"
#include "views/values/typography.h"

#include <QStringList>

#include <cmath>

namespace binade::app {

QString eventText(const RunModel& run, const wire::Event& event) {
  const words::Names names{run.sites(), [&run](int id) {
                             const TensorTrack* track = run.tensor(id);
                             return track == nullptr ? nullptr : &track->tensor;
                           }};
  return views::typeset(words::sentence_of(event, names));
}

QString magnitudeText(double value) {
  constexpr double kWhole = 100;
  constexpr double kMostGrouped = 1e6;
  if (value >= kWhole && value < kMostGrouped) return views::grouped(std::llround(value));
  return views::figure(value, 4);
}

QString verdictText(wire::Verdict verdict) {
  switch (verdict) {
    case wire::Verdict::kBenign:
      return tr("Harmless. The scaler has handled it.");
    case wire::Verdict::kNoScaleWorks:
      return tr("No loss scale works for this step.");
    case wire::Verdict::kOverflowAtSite:
      return tr("This op call overflows in the backward pass at every loss scale.");
    case wire::Verdict::kCastOverflow:
      return tr("A finite value became infinite in a cast.");
    case wire::Verdict::kForwardOverflow:
      return tr("A value overflowed in the forward pass.");
    case wire::Verdict::kInvalidOperation:
      return tr("The operation has no finite result for its inputs.");
    case wire::Verdict::kNonFiniteData:
      return tr("The batch contains a value that is not finite.");
    case wire::Verdict::kNonFiniteParameter:
      return tr("A weight was not finite before the step began.");
    case wire::Verdict::kPoisonedBuffer:
      return tr("A buffer of the model was not finite before the step began.");
    case wire::Verdict::kPropagatedOnly:
      return tr("The value came from outside the op calls.");
    case wire::Verdict::kUndetermined:
      return tr("The replay did not find the first cause.");
    case wire::Verdict::kScaleHeld:
      return tr("The loss scale is too high for this batch and cannot fall.");
    case wire::Verdict::kLostValue:
      return tr("A value underflowed to 0, and a later operation has no finite result for 0.");
    case wire::Verdict::kLearningRate:
      return tr("The learning rate is too high. The same steps also diverge in float32.");
    case wire::Verdict::kHugeData:
      return tr("The batch contains extreme values.");
  }
  return {};
}

QString faultText(wire::Root::Fault fault) {
  switch (fault) {
    case wire::Root::Fault::kOverflow:
      return tr("overflowed");
    case wire::Root::Fault::kCast:
      return tr("became infinite in a cast");
    case wire::Root::Fault::kInvalid:
      return tr("invalid operation");
    case wire::Root::Fault::kSum:
      return tr("a sum of finite gradients overflowed");
    case wire::Root::Fault::kData:
      return tr("from the batch");
    case wire::Root::Fault::kParameter:
      return tr("a weight");
    case wire::Root::Fault::kBuffer:
      return tr("a buffer of the model");
    case wire::Root::Fault::kUnknown:
      return tr("from outside the op calls");
    case wire::Root::Fault::kLost:
      return tr("became 0");
  }
  return {};
}

QString scaleBandText(const wire::ScaleBand& band) {
  const auto scale = [](int exponent) { return views::powerOfTwo(exponent); };
  QString text;
  if (band.empty()) {
    text = tr("none (underflow below %1, overflow above %2)").arg(scale(*band.lowest), scale(*band.highest));
  } else if (band.lowest && band.highest) {
    text = QStringLiteral("%1 … %2").arg(scale(*band.lowest), scale(*band.highest));
  } else if (band.highest) {
    text = tr("up to %1").arg(scale(*band.highest));
  } else if (band.lowest) {
    text = tr("from %1 on").arg(scale(*band.lowest));
  } else {
    text = tr("all");
  }
  return band.bound ? tr("%1 (bounds)").arg(text) : text;
}

QString rootWords(const wire::Root& root) {
  const QString what = QString::fromStdString(root.what);
  const bool own = root.what == "output" || root.what == "loss" || root.fault == wire::Root::Fault::kParameter;
  return root.direction == wire::Direction::kBackward && root.site >= 0 && !own ? tr("gradient of %1").arg(what) : what;
}

QString castWords(const wire::Root& root) {
  const QString what = QString::fromStdString(root.what);
  return root.direction == wire::Direction::kBackward ? tr("gradient of %1, after its cast").arg(what)
                                                      : tr("%1, after its cast").arg(what);
}

namespace {

using Fault = wire::Root::Fault;

/// Explains a value too large for its format.
QStringList whyTooLarge(const QString& format, double largest) {
  const auto known = formats::parse(format.toStdString());
  if (!known) return {};
  QStringList text{tr("%1 has %2 exponent bits. The largest value it can represent is %3. A result of %4 or more "
                      "rounds to infinity.")
                       .arg(format)
                       .arg(known->exponent_bits)
                       .arg(magnitudeText(known->largest()), magnitudeText(known->overflow_limit()))};
  if (largest < known->overflow_limit()) return text;
  const double doublings = std::log2(largest / known->overflow_limit());
  text << (doublings < 1
               ? tr("The largest value here was %1 before rounding. It was too large by less than one doubling.")
                     .arg(magnitudeText(largest))
               : tr("The largest value here was %1 before rounding. It was too large by %2 doublings.")
                     .arg(magnitudeText(largest), views::doublings(doublings)));
  return text;
}

/// Explains the first cause from first principles.
QStringList whyItBegan(Fault fault, const QString& format, double largest) {
  switch (fault) {
    case Fault::kInvalid:
      return {
          tr("Some operations have no finite result for some inputs in any format. The logarithm of 0 is minus "
             "infinity, 1 divided by 0 is infinity, and 0 divided by 0 is NaN. The derivative of a square root at 0 is "
             "infinity. The loss scale does not change these results. Change the source of the inputs.")};
    case Fault::kData:
      return {
          tr("The batch contains an infinity or a NaN. The model did not produce this value, and no change of the "
             "model removes it.")};
    case Fault::kParameter:
      return {
          tr("A weight was infinity or NaN before this step began. An earlier update produced it, or the model file "
             "contained it. Every product with this weight is also not finite.")};
    case Fault::kBuffer:
      return {
          tr("The model keeps this tensor between steps, as a batch norm keeps its running mean. An infinity or NaN in "
             "it remains there. A skipped step leaves the weights unchanged, but does not undo what the forward pass "
             "wrote.")};
    case Fault::kLost:
      return {
          tr("Each format has a smallest number, and values below half of it become 0. In float16 this limit is 3e-8, "
             "so a constant of 1e-8 becomes 0. Here a value became 0 in this way. A later operation, such as a "
             "division or a logarithm, has no finite result for 0.")};
    case Fault::kSum:
      return QStringList{
                 tr("Several gradients are added here. Each was finite, but their sum is too large for the format.")} +
             whyTooLarge(format, largest);
    case Fault::kOverflow:
    case Fault::kCast:
      return whyTooLarge(format, largest);
    case Fault::kUnknown:
      break;
  }
  return {};
}

}  // namespace

QString whyRed(const wire::Event& event, const QString& format, double largest, double nextScale) {
  const bool proved = event.diagnosis && !event.diagnosis->roots.empty();
  const Fault fault = proved ? event.diagnosis->roots.front().fault : Fault::kOverflow;
  QStringList text = whyItBegan(fault, format, largest);
  text << tr(
      "Infinity spreads: a sum with infinity is infinite. Infinity minus infinity, and infinity times 0, are NaN. So "
      "one value affects everything computed from it.");
  const bool too_large = fault == Fault::kOverflow || fault == Fault::kCast || fault == Fault::kSum;
  switch (event.kind) {
    case wire::Event::Kind::kGradientOverflow:
      if (nextScale < event.scale) {
        text << tr("The gradients were multiplied by the loss scale, %1. The scaler checks all gradients before the "
                   "update. It found this one, skipped the update, and lowered the scale to %2.")
                    .arg(views::scaleText(event.scale), views::scaleText(nextScale));
      } else {
        text << tr("The scaler checks all gradients before the update. It found this one and skipped the update.");
      }
      break;
    case wire::Event::Kind::kForwardOverflow:
      text << (too_large ? tr("This happened in the forward pass, which the loss scale does not affect. Use a wider "
                              "format or smaller values.")
                         : tr("This happened in the forward pass, which the loss scale does not affect."));
      break;
    case wire::Event::Kind::kNonFiniteLoss:
    case wire::Event::Kind::kDiverged:
      text << tr("The loss itself is not finite, so the gradients computed from it are not finite either.");
      break;
    default:
      break;
  }
  return text.join(QStringLiteral("\n\n"));
}

}  // namespace binade::app
