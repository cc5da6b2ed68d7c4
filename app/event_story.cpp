// SPDX-License-Identifier: Apache-2.0
#include "app/event_story.h"

#include "app/event_words.h"
#include "app/scale_text.h"
#include "app/silent_rows.h"
#include "app/site_text.h"
#include "views/numbers.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace binade::app {

namespace {

using views::ChainRow;
using views::VerdictShape;

constexpr std::size_t kMostLinks = 6;  // of a chain before its middle is folded

QString tr(const char* text) {
  return QCoreApplication::translate("EventStory", text);
}

QString text(const std::string& words) {
  return withRaisedPowers(QString::fromStdString(words));
}

QString callOf(const RunModel& run, int site) {
  const auto at = static_cast<std::size_t>(site);
  if (site < 0 || at >= run.sites().size()) return QStringLiteral("–");
  return callText(run.sites()[at].key);
}

bool isNonFinite(wire::Event::Kind kind) {
  using Kind = wire::Event::Kind;
  return kind == Kind::kGradientOverflow || kind == Kind::kForwardOverflow || kind == Kind::kNonFiniteLoss ||
         kind == Kind::kDiverged;
}

bool isGradient(const wire::WatchedTensor& tensor) {
  return tensor.kind != wire::WatchedTensor::Kind::kOutput;
}

QString tensorWords(const wire::WatchedTensor& tensor) {
  switch (tensor.kind) {
    case wire::WatchedTensor::Kind::kOutput:
      return tr("output");
    case wire::WatchedTensor::Kind::kOutputGradient:
      return tr("gradient of the output");
    case wire::WatchedTensor::Kind::kInputGradient:
      return tr("gradient of %1").arg(QString::fromStdString(tensor.argument));
  }
  return {};
}

/// What the event tells of a site's tensors in one direction: the one that is worst off.
const wire::EventTensor* tensorAt(const RunModel& run, const wire::Event& event, int site, wire::Direction direction) {
  const wire::EventTensor* worst = nullptr;
  for (const wire::EventTensor& each : event.tensors) {
    const TensorTrack* track = run.tensor(each.tensor);
    if (each.site != site || track == nullptr) continue;
    if (isGradient(track->tensor) != (direction == wire::Direction::kBackward)) continue;
    const auto badness = [](const wire::EventTensor& tensor) { return tensor.non_finite + tensor.overflow; };
    if (worst == nullptr || badness(each) > badness(*worst)) worst = &each;
  }
  return worst;
}

/// Fills in what was seen of a call's tensor.
void describe(ChainRow& row, const RunModel& run, const wire::EventTensor* seen) {
  if (seen == nullptr) return;
  const TensorTrack* track = run.tensor(seen->tensor);
  if (track == nullptr) return;
  row.what = tensorWords(track->tensor);
  row.format = QString::fromStdString(formats::name(track->tensor.format));
  row.execution = track->tensor.emulated ? views::CellExecution::kEmulated : views::CellExecution::kNative;
  if (seen->overflow > 0) {
    row.value = magnitudeText(seen->largest);
  } else if (seen->non_finite > 0) {
    row.value = QStringLiteral("inf");
  } else {
    row.value = QStringLiteral("≤ ") + views::figure(seen->largest, 4);
  }
}

/// What the replay saw there.
void describe(ChainRow& row, const wire::ChainLink& link) {
  if (!link.tensor.empty()) row.what = QString::fromStdString(link.tensor);
  row.format = QString::fromStdString(formats::name(link.format));
  row.value = link.non_finite > 0 ? tr("%1 not finite").arg(views::grouped(static_cast<std::int64_t>(link.non_finite)))
                                  : QStringLiteral("≤ ") + views::figure(link.largest, 4);
}

/// Folds the middle of a long chain: its ends tell the story.
std::vector<ChainRow> folded(std::vector<ChainRow> rows) {
  if (rows.size() <= kMostLinks) return rows;
  std::vector<ChainRow> result(rows.begin(), rows.begin() + 2);
  ChainRow middle;
  middle.folded.assign(rows.begin() + 2, rows.end() - 2);
  middle.call = tr("%1 more op calls").arg(middle.folded.size());
  middle.what = tr("all carry it on");
  result.push_back(std::move(middle));
  result.insert(result.end(), rows.end() - 2, rows.end());
  return result;
}

void addEnd(EventStory& story, const RunModel& run, const wire::Event& event, const std::string& ends,
            wire::Direction direction) {
  if (!ends.empty()) {
    ChainRow end;
    end.shape = VerdictShape::kCarriedOn;
    end.call = QString::fromStdString(ends);
    end.what = direction == wire::Direction::kBackward ? tr("gradient") : tr("value");
    end.value = tr("not finite");
    story.chain.push_back(std::move(end));
  }
  if (event.kind != wire::Event::Kind::kGradientOverflow) return;
  const int at = run.indexOfStep(event.step);
  if (at < 0) return;
  const StepPoint& point = run.steps()[static_cast<std::size_t>(at)];
  if (point.step != event.step || point.stepped) return;
  ChainRow skipped;
  skipped.shape = VerdictShape::kTight;
  skipped.call = tr("scaler");
  skipped.what = tr("step skipped");
  if (point.next_scale != point.scale)
    skipped.note = tr("scale %1 → %2").arg(views::scaleText(point.scale), views::scaleText(point.next_scale));
  story.chain.push_back(std::move(skipped));
}

void addProvedChain(EventStory& story, const RunModel& run, const wire::Event& event, const wire::Diagnosis& found) {
  std::vector<ChainRow> rows;
  const auto isRoot = [&](const wire::ChainLink& link) {
    return std::any_of(found.roots.begin(), found.roots.end(), [&](const wire::Root& root) {
      return root.site == link.site && root.call == link.call && root.direction == link.direction;
    });
  };
  for (const wire::Root& root : found.roots) {
    if (root.site >= 0) continue;
    ChainRow row;  // it came in from outside every op call
    row.shape = VerdictShape::kOverflow;
    row.call = QString::fromStdString(root.what);
    row.what = faultText(root.fault);
    row.note = tr("First cause");
    row.cause = true;
    rows.push_back(std::move(row));
  }
  for (const wire::ChainLink& link : found.chain) {
    ChainRow row;
    row.cause = isRoot(link);
    row.shape = row.cause ? VerdictShape::kOverflow : VerdictShape::kCarriedOn;
    row.call = callOf(run, link.site);
    if (link.call > 0) row.call += tr(", call %1").arg(link.call);
    row.what = link.direction == wire::Direction::kBackward ? tr("gradient") : tr("output");
    row.id = link.site;
    describe(row, link);
    describe(row, run, tensorAt(run, event, link.site, link.direction));
    if (row.cause) row.note = tr("First cause");
    rows.push_back(std::move(row));
  }
  story.chain = folded(std::move(rows));
}

// Without a replay: the tensors in the order in which they were met. The first one is where to look, not proved.
void addSeenChain(EventStory& story, const RunModel& run, const wire::Event& event) {
  std::vector<ChainRow> rows;
  for (const wire::EventTensor& each : event.tensors) {
    ChainRow row;
    row.call = callOf(run, each.site);
    row.id = each.site;
    describe(row, run, &each);
    row.cause = rows.empty();
    row.shape = each.overflow > 0 ? VerdictShape::kOverflow : VerdictShape::kCarriedOn;
    if (row.cause) row.note = tr("Met first");
    rows.push_back(std::move(row));
  }
  story.chain = folded(std::move(rows));
}

EventStory::Input inputOf(const wire::ValueRange& range) {
  EventStory::Input input;
  input.name = QString::fromStdString(range.name);
  input.format = QString::fromStdString(range.format);
  input.range = range.largest > 0 ? tr("%1 … %2").arg(views::figure(range.smallest, 3), magnitudeText(range.largest))
                                  : tr("all zero");
  QStringList parts;
  if (range.infinite > 0) parts << tr("%1 inf").arg(views::grouped(range.infinite));
  if (range.nan > 0) parts << tr("%1 NaN").arg(views::grouped(range.nan));
  input.notFinite = parts.isEmpty() ? QStringLiteral("0") : parts.join(QStringLiteral(", "));
  input.crimson = !parts.isEmpty();
  input.zeros = tr("%1 of %2").arg(views::grouped(range.zeros), views::grouped(range.count));
  return input;
}

// The loss scales at which every gradient of the step survives.
QString bandText(const wire::ScaleBand& band) {
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

void addFacts(EventStory& story, const RunModel& run, const wire::Event& event) {
  const wire::Root* root =
      event.diagnosis && !event.diagnosis->roots.empty() ? &event.diagnosis->roots.front() : nullptr;
  const wire::EventTensor* seen = nullptr;
  if (root != nullptr) {
    seen = tensorAt(run, event, root->site, root->direction);
  } else if (!event.tensors.empty()) {
    seen = &event.tensors.front();
  }
  const TensorTrack* track = seen != nullptr ? run.tensor(seen->tensor) : nullptr;
  std::optional<formats::Format> format;
  if (root != nullptr && root->site >= 0) format = root->format;
  if (track != nullptr) format = track->tensor.format;
  const int site = root != nullptr ? root->site : seen != nullptr ? seen->site : -1;
  if (site >= 0) {
    QString call = callOf(run, site);
    if (root != nullptr) call += root->direction == wire::Direction::kBackward ? tr(", backward") : tr(", forward");
    story.facts.append({tr("Op call"), call, {}, false});
  }
  if (track != nullptr) {
    story.facts.append({tr("Tensor"), tensorWords(track->tensor), {}, false});
  } else if (root != nullptr) {
    story.facts.append({tr("Tensor"), QString::fromStdString(root->what), {}, false});
  }
  double largest = seen != nullptr ? static_cast<double>(seen->largest) : 0;
  if (format) {
    const QString name = QString::fromStdString(formats::name(*format));
    const bool emulated = track != nullptr && track->tensor.emulated;
    story.facts.append({tr("Format"), emulated ? tr("%1, emulated").arg(name) : name, name, false});
    if (seen != nullptr && largest > 0) {
      story.facts.append({seen->overflow > 0 ? tr("Largest before rounding") : tr("Largest finite"),
                          magnitudeText(largest),
                          {},
                          false});
      story.facts.append({tr("Largest %1").arg(name), magnitudeText(format->largest()), {}, false});
      const double left = std::log2(format->overflow_limit() / largest);
      const double floor = std::floor(left * 10) / 10;
      story.facts.append({tr("Doublings left"), views::doublings(floor), {}, floor < 0});
    }
  }
  if (event.diagnosis && event.diagnosis->band) {
    const wire::ScaleBand& band = *event.diagnosis->band;
    story.facts.append({tr("Safe scales of this step"), bandText(band), {}, band.empty()});
  }
  const int at = run.indexOfStep(event.step);
  const double next = at >= 0 ? run.steps()[static_cast<std::size_t>(at)].next_scale : event.scale;
  if (isNonFinite(event.kind))
    story.whyRed = whyRed(event, format ? QString::fromStdString(formats::name(*format)) : QString(), largest, next);
  const auto place = static_cast<std::size_t>(site);
  if (root != nullptr && !root->source.empty()) {
    story.source = QString::fromStdString(root->source);
  } else if (site >= 0 && place < run.sites().size()) {
    story.source = QString::fromStdString(run.sites()[place].source);
  }
}

QString changeText(const wire::Attempt& attempt) {
  return text(attempt.change);
}

void addTried(EventStory& story, const RunModel& run, const wire::Event& event, const wire::Diagnosis& found) {
  QString held;
  for (const wire::Event& later : run.events()) {
    if (later.kind == wire::Event::Kind::kFixHeld && later.step > event.step) held = text(later.sentence);
  }
  bool has_fix = false;
  for (const wire::Attempt& attempt : found.evidence) {
    EventStory::Tried tried;
    tried.change.text = changeText(attempt);
    // Of several scalers the one whose gradients were not finite: the event has the first one's scale.
    tried.change.scale = attempt.scale != found.scale.value_or(event.scale) ? attempt.scale : 0;
    tried.change.rules = attempt.rules;
    tried.change.scaler = attempt.scaler.value_or(std::string());
    tried.finite = attempt.finite;
    const double fix_scale = found.fix.scale;
    tried.smallest = !has_fix && attempt.finite && attempt.rules == found.fix.rules &&
                     (fix_scale <= 0 ? tried.change.scale <= 0 : attempt.scale == fix_scale);
    has_fix = has_fix || tried.smallest;
    tried.afterwards = tried.smallest && !held.isEmpty() ? held
                       : attempt.finite                  ? tr("finite on this batch")
                                                         : tr("this batch still overflows");
    story.tried.append(tried);
  }
  if (has_fix || (found.fix.scale <= 0 && found.fix.rules.empty())) return;
  EventStory::Tried fix;
  fix.change = {text(found.fix.text), found.fix.scale, found.fix.rules, found.fix.scaler.value_or(std::string())};
  fix.finite = true;
  fix.smallest = true;
  fix.afterwards = held.isEmpty() ? tr("finite on this batch") : held;
  story.tried.prepend(fix);
}

void addVerdict(EventStory& story, const wire::Event& event) {
  if (event.diagnosis) {
    const wire::Diagnosis& found = *event.diagnosis;
    story.replayed = true;
    story.harmless = found.verdict == wire::Verdict::kBenign;
    story.verdict = verdictText(found.verdict);
    story.explanation = found.explanation.empty() ? verdictMeaning(found.verdict) : text(found.explanation);
    const auto count = found.evidence.size();
    story.replayNote =
        count == 1
            ? tr("The step was replayed once in %1; training was left untouched.").arg(views::duration(found.seconds))
            : tr("The step was replayed %1 times in %2; training was left untouched.")
                  .arg(count)
                  .arg(views::duration(found.seconds));
    if (!found.bundle.empty())
      story.replayNote += u' ' + tr("It is kept in %1.").arg(QString::fromStdString(found.bundle));
    return;
  }
  if (event.kind == wire::Event::Kind::kGradientOverflow || event.kind == wire::Event::Kind::kForwardOverflow ||
      event.kind == wire::Event::Kind::kNonFiniteLoss) {
    story.verdict = tr("Not replayed: the cause is not proved.");
    story.explanation = tr("What is listed below was met in this order. The first one is where to look.");
  }
}

}  // namespace

std::vector<int> pathOf(const wire::Event& event) {
  std::vector<int> sites;
  if (!event.diagnosis) return sites;
  const auto add = [&](int site) {
    if (site >= 0 && std::find(sites.begin(), sites.end(), site) == sites.end()) sites.push_back(site);
  };
  for (const wire::Root& root : event.diagnosis->roots) add(root.site);
  for (const wire::ChainLink& link : event.diagnosis->chain) add(link.site);
  return sites;
}

std::vector<int> causesOf(const wire::Event& event) {
  std::vector<int> sites;
  if (!event.diagnosis) return sites;
  for (const wire::Root& root : event.diagnosis->roots) {
    if (root.site >= 0) sites.push_back(root.site);
  }
  return sites;
}

namespace {

// Nothing is infinite: what the newest report says of it, where it still has it.
void addSilent(EventStory& story, const RunModel& run, const wire::Event& event) {
  story.verdict = tr("Nothing is infinite, and yet something is lost.");
  const wire::SilentFault* fault = silentFaultOf(run, event);
  if (fault == nullptr) {
    story.explanation = tr("The newest steps no longer show it.");
    return;
  }
  story.explanation = text(fault->next);
  story.whyRed = whySilent(*fault);
  const QString format = QString::fromStdString(formats::name(fault->format));
  story.facts = {{tr("Where"), silentPlace(run, *fault), {}, false},
                 {tr("Tensor"), QString::fromStdString(fault->what), {}, false},
                 {tr("Format"), format, format, false},
                 {tr("How much"), silentFigure(*fault), {}, true},
                 {tr("Seen in steps looked at"), silentSteps(*fault), {}, false}};
}

}  // namespace

EventStory storyOf(const RunModel& run, int index) {
  EventStory story;
  if (index < 0 || static_cast<std::size_t>(index) >= run.events().size()) return story;
  const wire::Event& event = run.events()[static_cast<std::size_t>(index)];
  story.sentence = text(event.sentence);
  if (event.kind == wire::Event::Kind::kSilent) {
    addSilent(story, run, event);
    return story;
  }
  addVerdict(story, event);
  addFacts(story, run, event);
  if (event.diagnosis) {
    addProvedChain(story, run, event, *event.diagnosis);
    addEnd(story, run, event, event.diagnosis->ends, event.diagnosis->direction);
    for (const wire::Root& root : event.diagnosis->roots) {
      for (const wire::ValueRange& range : root.inputs) story.inputs.append(inputOf(range));
    }
    addTried(story, run, event, *event.diagnosis);
  } else {
    addSeenChain(story, run, event);
    addEnd(story, run, event, {}, wire::Direction::kBackward);
  }
  return story;
}

}  // namespace binade::app
