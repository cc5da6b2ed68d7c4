// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/table/delegates.h"

namespace binade::app {

/// A cell of the list of events: an event, as `Delegate` draws it, or the heading of the start-up group.
template <class Delegate>
class EventCell : public Delegate {
 public:
  explicit EventCell(QObject* parent) : Delegate(parent) {}

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    if (index.data(views::ExpandedRole).isValid()) return heading_.paint(painter, option, index);
    Delegate::paint(painter, option, index);
  }

 private:
  views::HeadingDelegate heading_;
};

}  // namespace binade::app
