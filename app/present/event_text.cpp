// SPDX-License-Identifier: Apache-2.0
#include "app/present/event_text.h"

#include "app/model/translate.h"
#include "views/values/numbers.h"

#include <QStringList>

#include <algorithm>

namespace binade::app {

namespace {

// Joins the non-empty parts.
QString joined(QStringList parts) {
  parts.removeAll(QString());
  return parts.join(QStringLiteral(", "));
}

void addChain(QStringList& lines, const std::vector<views::ChainRow>& chain) {
  for (const views::ChainRow& row : chain) {
    if (row.folded.empty() || row.shape == views::VerdictShape::kFits) {
      lines << QStringLiteral("  ") + joined({row.call, row.what, row.value, row.format, row.note});
    } else {
      addChain(lines, row.folded);  // text shows folded rows too, unless they are finite
    }
  }
}

}  // namespace

QString doublingsText(const EventStory::Tried& tried) {
  if (!tried.doublings) return QStringLiteral("–");
  const QString text = views::doublings(*tried.doublings);
  // They are the difference of whole exponents, so up to one doubling more may be left.
  return *tried.doublings >= 0 ? QStringLiteral("≥ ") + text : text;
}

QString triedTitle(const EventStory& story) {
  const bool mended = std::any_of(story.tried.begin(), story.tried.end(), [](const auto& each) { return each.finite; });
  return mended ? tr("What would have fixed it") : tr("What was tried");
}

QString storyText(const EventStory& story) {
  QStringList lines{story.sentence};
  if (!story.before.isEmpty()) lines << story.before;
  if (!story.verdict.isEmpty()) lines << story.verdict;
  if (!story.explanation.isEmpty()) lines << story.explanation;
  if (!story.facts.isEmpty()) lines << QString();
  for (const EventStory::Fact& fact : story.facts) lines << fact.name + QStringLiteral(": ") + fact.value;
  if (!story.chain.empty()) lines << QString() << tr("Chain");
  addChain(lines, story.chain);
  if (!story.tried.isEmpty()) lines << QString() << triedTitle(story);
  for (const EventStory::Tried& tried : story.tried) {
    const QString outcome = tried.finite ? tr("finite on this batch") : tr("not finite on this batch");
    const QString left = tried.doublings ? tr("doublings left %1").arg(doublingsText(tried)) : QString();
    lines << QStringLiteral("  ") +
                 joined({tried.change.text, outcome, left, tried.finite ? tried.afterwards : QString()});
  }
  if (!story.inputs.isEmpty()) lines << QString() << tr("Inputs");
  for (const EventStory::Input& input : story.inputs) {
    lines << QStringLiteral("  ") + joined({input.name, input.format, input.range,
                                            tr("not finite %1").arg(input.notFinite), tr("zeros %1").arg(input.zeros)});
  }
  if (!story.replayNote.isEmpty()) lines << QString() << story.replayNote;
  return lines.join(u'\n') + u'\n';
}

}  // namespace binade::app
