//! Screens: pages, the feed, and the doors through which information leaves. Each door has one audience.
