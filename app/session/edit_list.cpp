// SPDX-License-Identifier: Apache-2.0
#include "app/session/edit_list.h"

#include "app/model/run_model.h"

#include <QUndoStack>

namespace binade::app {

EditList::EditList(QUndoStack* stack, const RunModel* run, QObject* parent)
    : QObject(parent), stack_(stack), run_(run) {
  connect(stack_, &QUndoStack::indexChanged, this, &EditList::update);
  update();
}

// A new edit takes the place of undone ones. It exists before they are deleted, so its address is another one.
void EditList::update() {
  for (int i = 0; i < stack_->count(); ++i) {
    const QUndoCommand* command = stack_->command(i);
    if (i < made_.size() && made_[i].command == command) continue;
    made_.resize(i);
    made_.append({command, run_->steps().empty() ? std::nullopt : std::optional(run_->steps().back().step)});
  }
  made_.resize(stack_->count());
  Q_EMIT changed();
}

QList<EditList::Edit> EditList::edits() const {
  QList<Edit> edits;
  for (int i = 0; i < made_.size(); ++i) edits.append({stack_->text(i), made_[i].step, i >= stack_->index()});
  return edits;
}

int EditList::inForce() const {
  return stack_->index();
}

void EditList::goTo(int count) {
  stack_->setIndex(count);
}

}  // namespace binade::app
