// SPDX-License-Identifier: Apache-2.0
#include "app/window/refused_key.h"

#include "app/model/translate.h"
#include "app/window/actions.h"

#include <QAction>
#include <QShortcut>
#include <QStatusBar>
#include <QStringList>

namespace binade::app {

namespace {

constexpr int kReasonShown = 8000;  // ms

void explainRefusedKey(QAction* action, QWidget* window, QStatusBar* status) {
  auto* key = new QShortcut(window);
  const auto follow = [key, action] {
    key->setKey(action->shortcut());
    key->setEnabled(!action->isEnabled());  // else two would own the key, and neither would get it
  };
  QObject::connect(action, &QAction::changed, key, follow);
  QObject::connect(key, &QShortcut::activated, action, [action, status] {
    const QString refused = tr("“%1” is not possible now.").arg(plainText(action));
    status->showMessage(QStringList{refused, whyDisabled(action)}.join(u' ').trimmed(), kReasonShown);
  });
  follow();
}

}  // namespace

void explainRefusedKeys(const QList<QAction*>& actions, QWidget* window, QStatusBar* status) {
  for (QAction* action : actions) explainRefusedKey(action, window, status);
}

}  // namespace binade::app
