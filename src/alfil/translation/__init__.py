"""From one notation to the other, exactly or with every loss named."""
