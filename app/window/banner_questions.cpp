// SPDX-License-Identifier: Apache-2.0
#include "app/window/banner_questions.h"

#include "app/window/banner.h"

#include <QPushButton>

#include <algorithm>
#include <utility>

namespace binade::app {

BannerQuestions::BannerQuestions(Banner* banner, QObject* parent) : QObject(parent), banner_(banner) {
  // Something else was closed, behind which a question waits. Later: the banner may be about to show another text.
  const auto closed = [this] {
    if (banner_->message() != shown_) repeat();
  };
  connect(banner_, &Banner::closed, this, closed, Qt::QueuedConnection);
}

void BannerQuestions::ask(BannerQuestion question) {
  withdraw(question.id);
  waiting_.append(std::move(question));
  repeat();
}

void BannerQuestions::withdraw(const QString& id) {
  const auto known = std::find_if(waiting_.begin(), waiting_.end(), [&](const auto& each) { return each.id == id; });
  if (known == waiting_.end()) return;
  const bool shown = isShown() && known == waiting_.begin();
  waiting_.erase(known);
  if (!shown) return;
  shown_.clear();  // the next question follows
  banner_->dismiss();
}

bool BannerQuestions::isAsked(const QString& id) const {
  return std::any_of(waiting_.begin(), waiting_.end(), [&](const auto& each) { return each.id == id; });
}

bool BannerQuestions::isShown() const {
  return !banner_->isHidden() && !shown_.isEmpty() && banner_->message() == shown_;
}

void BannerQuestions::repeat() {
  if (waiting_.isEmpty() || isShown()) return;
  const BannerQuestion& first = waiting_.front();
  if (!banner_->showNotice(first.message, first.hint)) return;
  shown_ = first.message;
  banner_->offer(first.yes, [this, id = first.id, then = first.on_yes] { answer(id, then); });
  banner_->offerOther(first.no, [this, id = first.id, then = first.on_no] { answer(id, then); });
}

void BannerQuestions::answer(const QString& id, const std::function<void()>& then) {
  waiting_.removeIf([&](const BannerQuestion& each) { return each.id == id; });
  shown_.clear();
  if (then) then();
  repeat();
}

}  // namespace binade::app
