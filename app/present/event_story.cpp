// SPDX-License-Identifier: Apache-2.0
#include "app/present/event_story.h"

#include "app/model/site_history.h"
#include "app/model/site_name.h"
#include "app/model/translate.h"
#include "app/present/event_chain.h"
#include "app/present/event_figures.h"
#include "app/present/event_words.h"
#include "app/present/rank_rows.h"
#include "app/present/silent_rows.h"
#include "app/present/site_text.h"
#include "engine/words/diagnosis_text.h"
#include "engine/words/fix_text.h"
#include "engine/words/rules_text.h"
#include "engine/words/site_text.h"
#include "views/values/numbers.h"
#include "views/values/typography.h"

#include <algorithm>
#include <cmath>

namespace binade::app {

namespace {

QString text(const std::string& words) {
  return views::typeset(words);
}

EventStory::Input inputOf(const wire::ValueRange& range) {
  EventStory::Input input;
  input.name = QString::fromStdString(range.name);
  input.format = QString::fromStdString(range.format);
  input.range = range.largest > 0 ? tr("%1 … %2").arg(views::figure(range.smallest, 3), magnitudeText(range.largest))
                                  : tr("all zero");
  if (range.largest > 0) input.largest = views::PickedNumber{range.largest, formats::parse(range.format)};
  QStringList parts;
  if (range.infinite > 0) parts << tr("%1 inf").arg(views::grouped(range.infinite));
  if (range.nan > 0) parts << tr("%1 NaN").arg(views::grouped(range.nan));
  input.notFinite = parts.isEmpty() ? QStringLiteral("0") : parts.join(QStringLiteral(", "));
  input.crimson = !parts.isEmpty();
  input.zeros = tr("%1 of %2").arg(views::grouped(range.zeros), views::grouped(range.count));
  return input;
}

// Adds the inputs of every first cause. With several causes each row names its op call.
void addInputs(EventStory& story, const RunModel& run, const std::vector<wire::Root>& roots) {
  const auto given =
      std::count_if(roots.begin(), roots.end(), [](const wire::Root& root) { return !root.inputs.empty(); });
  for (const wire::Root& root : roots) {
    const auto at = static_cast<std::size_t>(root.site);
    for (const wire::ValueRange& range : root.inputs) {
      EventStory::Input& input = story.inputs.emplace_back(inputOf(range));
      if (given < 2 || root.site < 0 || at >= run.sites().size()) continue;
      const policy::SiteKey& key = run.sites()[at].key;
      input.name = tr("%1 of %2").arg(input.name, key.path.empty() ? callText(key) : QString::fromStdString(key.path));
    }
  }
}

// `rows 3 and 17 of 64 (examples 1203 and 88 of the data)`, in the engine's wording.
QString rowsText(const wire::BadRows& rows) {
  return rows.bad == rows.of ? tr("all %1").arg(views::grouped(rows.of))
                             : QString::fromStdString(words::rows_text(rows));
}

void addRows(EventStory& story, const wire::BadRows& rows, bool of_rank) {
  const QString name = rows.batch > 0 ? tr("Rows not finite, batch %1 of the step").arg(rows.batch + 1)
                       : of_rank      ? tr("Rows of its batch not finite")
                                      : tr("Rows of the batch not finite");
  story.facts.append({name, rowsText(rows), {}, false});
}

void addFacts(EventStory& story, const RunModel& run, const wire::Event& event) {
  const EventFigures figures = eventFigures(run, event);
  const wire::Root* root = figures.root;
  const auto& format = figures.format;
  const int site = figures.site;
  const double largest = figures.largest;
  if (site >= 0) {
    QString call = callText(run.sites(), site);
    if (root != nullptr) call += root->direction == wire::Direction::kBackward ? tr(", backward") : tr(", forward");
    story.facts.append({tr("Op call"), call, {}, false});
  }
  if (const QString tensor = tensorText(figures); !tensor.isEmpty())
    story.facts.append({tr("Tensor"), tensor, {}, false});
  if (format) {
    const QString name = QString::fromStdString(formats::name(*format));
    const bool emulated = figures.track != nullptr && figures.track->tensor.emulated;
    story.facts.append({figures.in_cast ? tr("Cast to") : tr("Format"), emulated ? tr("%1, emulated").arg(name) : name,
                        name, false, emulated});
    if (const auto left = figures.doublingsLeft()) {
      story.facts.append({figures.before != nullptr ? tr("Largest before the cast")
                          : figures.unrounded       ? tr("Largest before rounding")
                                                    : tr("Largest finite"),
                          magnitudeText(largest),
                          {},
                          false,
                          false,
                          views::PickedNumber{largest, format}});
      const double limit = format->overflow_limit();
      story.facts.append({tr("%1 overflows from").arg(name),
                          magnitudeText(limit),
                          {},
                          false,
                          false,
                          views::PickedNumber{limit, format}});
      story.facts.append({tr("Doublings left"), doublingsLeftText(*left), {}, *left < 0});
    }
  }
  if (event.rank) story.facts.append({tr("Rank"), rankText(run, *event.rank), {}, false});
  if (root != nullptr && root->rows) addRows(story, *root->rows, event.rank.has_value());
  // The text of a harmless event has it.
  if (event.diagnosis && event.diagnosis->band && event.diagnosis->verdict != wire::Verdict::kBenign) {
    const wire::ScaleBand& band = *event.diagnosis->band;
    story.facts.append({tr("Safe scales, by the replay"), scaleBandText(band), {}, band.empty()});
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
  if (!story.source.isEmpty()) story.facts.append({tr("Line of the model"), story.source, {}, false});
}

// Notes that a site of the event was edited after it.
void addBefore(EventStory& story, const RunModel& run, const wire::Event& event) {
  std::vector<int> sites = causesOf(event);
  for (const wire::EventTensor& each : event.tensors) {
    if (sites.empty()) sites.push_back(each.site);
  }
  for (const int site : sites) {
    const std::int64_t since = decidedSince(run, site);
    if (since <= event.step) continue;
    story.before = tr("Before the edit at step %1: %2 has run differently since.")
                       .arg(views::grouped(since), callText(run.sites(), site));
    return;
  }
}

// `held for 200 steps`, if a later event reports that of the same rules.
QString heldText(const RunModel& run, const wire::Event& event, const std::vector<policy::SiteRule>& rules) {
  if (rules.empty()) return {};
  const auto same = [](const policy::SiteRule& a, const policy::SiteRule& b) {
    return a.match == b.match && a.call == b.call && a.format == b.format;
  };
  for (const wire::Event& later : run.events()) {
    const auto* held = std::get_if<wire::FixHeld>(&later.facts);
    if (held == nullptr || later.step <= event.step) continue;
    if (std::equal(held->rules.begin(), held->rules.end(), rules.begin(), rules.end(), same))
      return tr("held for %1 steps").arg(views::grouped(held->steps));
  }
  return {};
}

// What safe scales say of this scale.
void addOutlook(EventStory::Tried& tried, const wire::ScaleBand& band, double scale) {
  const int exponent = static_cast<int>(std::floor(std::log2(scale)));
  if (band.highest) tried.doublings = *band.highest - exponent;
  // A bound does not count what was lost before it was measured.
  if (band.lowest && exponent < *band.lowest) {
    tried.lost = tr("> 1 %");
  } else if (!band.bound) {
    tried.lost = tr("≤ 1 %");
  }
}

// The safe scales of the step say how a scale alone fares. They belong to one scaler, and to the model's own casts.
void addOutlookOfScale(EventStory::Tried& tried, const wire::Diagnosis& found, double scale,
                       const std::optional<std::string>& scaler) {
  if (found.band && tried.change.rules.empty() && scaler == found.scaler && scale > 0)
    addOutlook(tried, *found.band, scale);
}

// A change of one op call alone, with the shortest name that is unique in the model. Empty for other changes.
QString briefChange(const RunModel& run, const wire::Attempt& attempt) {
  if (attempt.rules.size() != 1 || words::change_of(attempt) != words::rules_text(attempt.rules)) return {};
  const policy::SiteRule& rule = attempt.rules.front();
  const QString name = QString::fromStdString(rule.match);
  for (const wire::SiteInfo& site : run.sites()) {
    const QStringList& forms = run.callForms().of(site.id);
    if (siteName(site.key) == name && !forms.isEmpty())
      return tr("%1 in %2").arg(forms.back(), QString::fromStdString(formats::name(rule.format)));
  }
  return {};
}

void addTried(EventStory& story, const RunModel& run, const wire::Event& event, const wire::Diagnosis& found) {
  bool has_fix = false;
  for (const wire::Attempt& attempt : found.evidence) {
    EventStory::Tried tried;
    tried.change.text = text(words::change_of(attempt));
    tried.brief = briefChange(run, attempt);
    // With several scalers, the scale of the one whose gradients were not finite; the event holds the first scaler's.
    tried.change.scale = attempt.scale != found.scale.value_or(event.scale) ? attempt.scale : 0;
    tried.change.rules = attempt.rules;
    tried.change.scaler = attempt.scaler.value_or(std::string());
    tried.finite = attempt.finite;
    const double fix_scale = found.fix.scale;
    tried.smallest = !has_fix && attempt.finite && attempt.rules == found.fix.rules &&
                     (fix_scale <= 0 ? tried.change.scale <= 0 : attempt.scale == fix_scale);
    has_fix = has_fix || tried.smallest;
    const QString held = heldText(run, event, attempt.rules);
    tried.afterwards = attempt.finite && !held.isEmpty() ? held
                       : attempt.finite                  ? tr("this batch only")
                                                         : QStringLiteral("–");
    const bool scale_alone = attempt.without.empty() && !attempt.ahead && attempt.note.empty();
    if (attempt.band && attempt.scale > 0) {
      addOutlook(tried, *attempt.band, attempt.scale);
    } else if (scale_alone) {
      addOutlookOfScale(tried, found, attempt.scale, attempt.scaler);
    }
    story.tried.append(tried);
  }
  if (has_fix || (found.fix.scale <= 0 && found.fix.rules.empty())) return;
  EventStory::Tried fix;
  fix.change = {text(words::fix_of(found.fix)), found.fix.scale, found.fix.rules,
                found.fix.scaler.value_or(std::string())};
  fix.finite = true;
  fix.smallest = true;
  const QString held = heldText(run, event, found.fix.rules);
  fix.afterwards = held.isEmpty() ? tr("this batch only") : held;
  if (found.fix.without.empty()) addOutlookOfScale(fix, found, found.fix.scale, found.fix.scaler);
  story.tried.prepend(fix);
}

// Of many events with the same first causes only some get further attempts. Returns the newest earlier one that has
// them.
const wire::Event* triedBefore(const RunModel& run, const wire::Event& event) {
  const std::vector<int> causes = causesOf(event);
  if (causes.empty()) return nullptr;
  const auto& events = run.events();
  const auto found = std::find_if(events.rbegin(), events.rend(), [&](const wire::Event& other) {
    return other.step < event.step && other.diagnosis && !other.diagnosis->evidence.empty() &&
           other.diagnosis->direction == event.diagnosis->direction && causesOf(other) == causes;
  });
  return found == events.rend() ? nullptr : &*found;
}

void addVerdict(EventStory& story, const RunModel& run, const wire::Event& event) {
  if (event.diagnosis) {
    const wire::Diagnosis& found = *event.diagnosis;
    story.replayed = true;
    story.harmless = found.verdict == wire::Verdict::kBenign;
    story.verdict = verdictText(found.verdict);
    story.explanation = text(words::explanation_of(found, run.sites()));
    const auto count = found.evidence.size();
    story.replayNote =
        count == 0
            ? tr("The step was replayed to find its first cause. Of many such steps, fixes are tried for only some. "
                 "The training itself did not change.")
        : count == 1 ? tr("The step was replayed once in %1. The training itself did not change.")
                           .arg(views::duration(found.seconds))
                     : tr("The step was replayed %1 times in %2. The training itself did not change.")
                           .arg(views::grouped(count), views::duration(found.seconds));
    if (!found.bundle.empty())
      story.replayNote += u' ' + tr("The step is saved in %1.").arg(QString::fromStdString(found.bundle));
    return;
  }
  if (event.kind == wire::Event::Kind::kGradientOverflow || event.kind == wire::Event::Kind::kForwardOverflow ||
      event.kind == wire::Event::Kind::kNonFiniteLoss) {
    story.verdict = tr("Not replayed: the cause is not proved.");
    story.explanation = tr("The tensors below are in the order of execution. Start with the first.");
  }
}

// A silent fault has nothing infinite. Takes its facts from the newest report, else from the event itself.
void addSilent(EventStory& story, const RunModel& run, const wire::Event& event) {
  story.verdict = tr("All values are finite, but precision is lost.");
  const wire::SilentFault* fault = silentFaultOf(run, event);
  const bool listed = fault != nullptr;
  if (const auto* found = std::get_if<wire::SilentFaultFound>(&event.facts); !listed && found != nullptr)
    fault = &found->fault;
  if (!listed) story.explanation = tr("Not in the newest report.");
  if (fault == nullptr) return;
  if (listed) story.explanation = silentNext(run, *fault);
  story.whyRed = whySilent(*fault);
  const QString format = QString::fromStdString(formats::name(fault->format));
  story.facts = {{tr("Where"), silentPlace(run, *fault), {}, false},
                 {tr("Tensor"), QString::fromStdString(fault->what), {}, false},
                 {tr("Format"), format, format, false},
                 {tr("How much"), silentFigure(*fault), {}, true},
                 {tr("Observed steps that show it"), silentSteps(*fault), {}, false}};
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

int lossOf(const RunModel& run) {
  // The loss's sites come last.
  if (run.sites().empty() || run.config().losses.size() > 1) return -1;
  const wire::SiteInfo& last = run.sites().back();
  return last.key.path == "loss" ? last.id : -1;
}

int provedEventOf(const RunModel& run, int index) {
  const auto& events = run.events();
  const wire::Event& event = events[static_cast<std::size_t>(index)];
  if (event.diagnosis || !isNonFinite(event.kind)) return index;
  // Events of one step are adjacent.
  std::size_t at = static_cast<std::size_t>(index);
  while (at > 0 && events[at - 1].step == event.step) --at;
  for (; at < events.size() && events[at].step == event.step; ++at) {
    if (events[at].diagnosis && isNonFinite(events[at].kind)) return static_cast<int>(at);
  }
  return index;
}

bool isConsequence(const RunModel& run, int index) {
  // A diverged training is more than a consequence of another event.
  return run.events()[static_cast<std::size_t>(index)].kind != wire::Event::Kind::kDiverged &&
         provedEventOf(run, index) != index;
}

namespace {

// One step that overflowed is the scaler's business, or has a fix. A training that fails needs a policy that trains.
bool isWorthARepair(const wire::Event& asked, const wire::Event& proved) {
  return asked.kind == wire::Event::Kind::kDiverged ||
         (proved.diagnosis && proved.diagnosis->verdict == wire::Verdict::kNoScaleWorks);
}

}  // namespace

EventStory storyOf(const RunModel& run, int index) {
  EventStory story;
  if (index < 0 || static_cast<std::size_t>(index) >= run.events().size()) return story;
  const wire::Event& asked = run.events()[static_cast<std::size_t>(index)];
  const wire::Event& event = run.events()[static_cast<std::size_t>(provedEventOf(run, index))];
  story.sentence = eventText(run, asked);
  if (event.kind == wire::Event::Kind::kSilent) {
    addSilent(story, run, event);
    return story;
  }
  addVerdict(story, run, event);
  addBefore(story, run, event);
  story.repair = story.before.isEmpty() && isWorthARepair(asked, event);
  if (&asked != &event) story.explanation = eventText(run, event) + u' ' + story.explanation;
  addFacts(story, run, event);
  story.chain = chainOf(run, event);
  if (!event.diagnosis) return story;
  addInputs(story, run, event.diagnosis->roots);
  const bool bare = event.diagnosis->evidence.empty() && event.diagnosis->fix.rules.empty();
  const wire::Event* before = bare && event.diagnosis->fix.scale <= 0 ? triedBefore(run, event) : nullptr;
  const wire::Event& tried = before != nullptr ? *before : event;
  addTried(story, run, tried, *tried.diagnosis);
  if (before != nullptr)
    story.triedNote = tr("tried at step %1, which has the same first cause").arg(views::grouped(before->step));
  return story;
}

}  // namespace binade::app
