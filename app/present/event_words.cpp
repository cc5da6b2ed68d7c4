// SPDX-License-Identifier: Apache-2.0
#include "app/present/event_words.h"

#include "app/model/translate.h"
#include "app/present/event_story.h"
#include "app/present/scale_text.h"
#include "engine/words/event_text.h"
#include "views/values/numbers.h"

#include <QStringList>

#include <cmath>

namespace binade::app {

QString eventText(const RunModel& run, const wire::Event& event) {
  const words::Names names{run.sites(), [&run](int id) {
                             const TensorTrack* track = run.tensor(id);
                             return track == nullptr ? nullptr : &track->tensor;
                           }};
  return sentenceText(words::sentence_of(event, names));
}

QString magnitudeText(double value) {
  constexpr double kWhole = 100;
  constexpr double kMost = 1e6;
  if (value >= kWhole && value < kMost) return views::grouped(std::llround(value));
  return views::figure(value, 4);
}

QString verdictText(wire::Verdict verdict) {
  switch (verdict) {
    case wire::Verdict::kBenign:
      return tr("Harmless: the loss scale was too high for one batch.");
    case wire::Verdict::kNoScaleWorks:
      return tr("No loss scale works for this step.");
    case wire::Verdict::kOverflowAtSite:
      return tr("This op call overflows in backward at every loss scale.");
    case wire::Verdict::kCastOverflow:
      return tr("A finite value became infinite in a cast.");
    case wire::Verdict::kForwardOverflow:
      return tr("The forward pass went beyond the format.");
    case wire::Verdict::kInvalidOperation:
      return tr("The operation has no finite answer for what it was given.");
    case wire::Verdict::kNonFiniteData:
      return tr("The batch itself holds a value that is not finite.");
    case wire::Verdict::kNonFiniteParameter:
      return tr("A weight was not finite before the step began.");
    case wire::Verdict::kPoisonedBuffer:
      return tr("A buffer of the model was not finite before the step began.");
    case wire::Verdict::kPropagatedOnly:
      return tr("No op call made it: it came in from outside.");
    case wire::Verdict::kUndetermined:
      return tr("The replay did not find where it began.");
    case wire::Verdict::kScaleHeld:
      return tr("The loss scale is too high for this batch, and cannot fall.");
    case wire::Verdict::kLostValue:
      return tr("A value was lost to its format, and an operation behind it has no finite answer without it.");
    case wire::Verdict::kLearningRate:
      return tr("The learning rate is too high: the same steps diverge in float32 too.");
    case wire::Verdict::kHugeData:
      return tr("The batch holds values far beyond all others.");
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
      return tr("came with the batch");
    case wire::Root::Fault::kParameter:
      return tr("a weight");
    case wire::Root::Fault::kBuffer:
      return tr("a buffer of the model");
    case wire::Root::Fault::kUnknown:
      return tr("came from outside");
    case wire::Root::Fault::kLost:
      return tr("became 0");
  }
  return {};
}

QString scaleBandText(const wire::ScaleBand& band) {
  const auto scale = [](int exponent) { return views::powerOfTwo(exponent); };
  QString text;
  if (band.empty()) {
    text = tr("none: lost below %1, overflow above %2").arg(scale(*band.lowest), scale(*band.highest));
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
  return root.direction == wire::Direction::kBackward ? tr("gradient of %1, cast on its way out").arg(what)
                                                      : tr("%1, cast on its way in").arg(what);
}

namespace {

using Fault = wire::Root::Fault;

/// Explains a value too large for its format.
QStringList whyTooLarge(const QString& format, double largest) {
  const auto known = formats::parse(format.toStdString());
  if (!known) return {};
  QStringList text{tr("A number in %1 has %2 exponent bits. The largest value they can say is %3; from %4 on, a result "
                      "rounds to infinity.")
                       .arg(format)
                       .arg(known->exponent_bits)
                       .arg(magnitudeText(known->largest()), magnitudeText(known->overflow_limit()))};
  if (largest < known->overflow_limit()) return text;
  const double doublings = std::log2(largest / known->overflow_limit());
  text << (doublings < 1 ? tr("Here the largest value was %1 before rounding: too large by less than one doubling.")
                               .arg(magnitudeText(largest))
                         : tr("Here the largest value was %1 before rounding: too large by %2 doublings.")
                               .arg(magnitudeText(largest), views::doublings(doublings)));
  return text;
}

/// Explains the first cause from first principles.
QStringList whyItBegan(Fault fault, const QString& format, double largest) {
  switch (fault) {
    case Fault::kInvalid:
      return {
          tr("Some operations have no finite answer for some inputs, in any format: the logarithm of 0 is minus "
             "infinity, a number divided by 0 is infinite, 0 divided by 0 is no number, the slope of a square root "
             "at 0 is infinite. No loss scale changes the answer for such inputs. Where they come from is what has to "
             "change.")};
    case Fault::kData:
      return {
          tr("The batch came with a value that is infinite or no number (NaN). Nothing in the model made it, and "
             "nothing in the model can mend it.")};
    case Fault::kParameter:
      return {tr(
          "A weight was infinite or no number (NaN) before this step began: an earlier update made it so, or the model "
          "came so. What it is multiplied with becomes the same.")};
    case Fault::kBuffer:
      return {tr(
          "The model keeps this tensor from step to step, as a batch norm keeps its means. Once something infinite or "
          "no number (NaN) is in it, it stays so: skipping the step undoes the weights' update, not what forward "
          "wrote.")};
    case Fault::kLost:
      return {
          tr("A format has a smallest number. What is closer to 0 than half of it becomes 0: in float16 that is 3e-8, "
             "so that a constant of 1e-8 is none. Here a value became 0 in this way, and an operation behind it (a "
             "division, a logarithm) has no finite answer for 0.")};
    case Fault::kSum:
      return QStringList{
                 tr("Several gradients meet here and are added. Each was finite, and their sum is too large for "
                    "the format.")} +
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
      "Infinity does not stay where it is: what is added to it is infinite too, and infinity minus infinity, or "
      "times 0, is NaN. So one value spreads to everything computed from it.");
  const bool too_large = fault == Fault::kOverflow || fault == Fault::kCast || fault == Fault::kSum;
  switch (event.kind) {
    case wire::Event::Kind::kGradientOverflow:
      if (nextScale < event.scale) {
        text << tr("The gradients were multiplied by the loss scale, %1. The scaler looks at all of them before the "
                   "weights are touched: it found this one, left the weights as they were, and went on with %2.")
                    .arg(views::scaleText(event.scale), views::scaleText(nextScale));
      } else {
        text << tr(
            "The scaler looks at all gradients before the weights are touched: it found this one and left the "
            "weights as they were.");
      }
      break;
    case wire::Event::Kind::kForwardOverflow:
      text << (too_large ? tr("This happened in the forward pass, which the loss scale does not touch: only another "
                              "format, or smaller values, help.")
                         : tr("This happened in the forward pass, which the loss scale does not touch."));
      break;
    case wire::Event::Kind::kNonFiniteLoss:
    case wire::Event::Kind::kDiverged:
      text << tr("The loss itself is not a number now, so every gradient computed from it is none either.");
      break;
    default:
      break;
  }
  return text.join(QStringLiteral("\n\n"));
}

}  // namespace binade::app
