// SPDX-License-Identifier: Apache-2.0
#include "app/window/notice_bar.h"

#include "app/window/banner.h"

#include <QAction>

namespace binade::app {

NoticeBar::NoticeBar(Banner* banner, QWidget* parent) : QToolBar(tr("Messages"), parent) {
  setObjectName(QStringLiteral("notices"));
  setMovable(false);
  setContextMenuPolicy(Qt::PreventContextMenu);
  QAction* shown = addWidget(banner);
  shown->setVisible(false);
  hide();
  banner->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
  connect(banner, &Banner::closed, this, [this, shown] {
    shown->setVisible(false);
    hide();
  });
  connect(banner, &Banner::opened, this, [this, shown] {
    shown->setVisible(true);
    show();
  });
}

}  // namespace binade::app
