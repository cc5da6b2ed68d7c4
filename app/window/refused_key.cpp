// SPDX-License-Identifier: Apache-2.0
#include "app/window/refused_key.h"

#include "app/model/translate.h"
#include "app/window/actions.h"
#include "app/window/banner.h"

#include <QAction>
#include <QShortcut>

namespace binade::app {

void explainRefusedKey(QAction* action, QWidget* window, Banner* banner) {
  auto* key = new QShortcut(window);
  const auto follow = [key, action] {
    key->setKey(action->shortcut());
    key->setEnabled(!action->isEnabled());  // else two would own the key, and neither would get it
  };
  QObject::connect(action, &QAction::changed, key, follow);
  QObject::connect(key, &QShortcut::activated, action, [action, banner] {
    const QString why = whyDisabled(action);
    if (!why.isEmpty()) banner->showNotice(tr("“%1” is not possible now.").arg(plainText(action)), why);
  });
  follow();
}

}  // namespace binade::app
